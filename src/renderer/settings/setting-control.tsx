import { Switch } from 'react-aria-components/Switch';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
import { useWords } from '#renderer/words.ts';
import { type Setting, wordsKeyOf } from './setting-list.ts';
import { TypedField } from './typed-field.tsx';

interface SettingControlProps {
  readonly setting: Setting;
  readonly value: string | number | boolean;
  readonly change: (value: string | number | boolean) => void;
}

/** What changes one setting. Its name and description stand beside it, under the ids that it is labelled by. */
export function SettingControl({ setting: { key, control }, value, change }: SettingControlProps) {
  const words = useWords();
  const at = wordsKeyOf(key);
  // Not by the id of the name: what is scrolled out of sight has none for some readers.
  const named = { 'aria-label': words(`${at}.name`), 'aria-describedby': `${at}-about` };
  if (control.kind === 'switch') {
    return (
      <Switch className="switch" isSelected={value === true} onChange={change} {...named}>
        <span className="switch-track" aria-hidden="true" />
      </Switch>
    );
  }
  if (control.kind === 'text') {
    const take = (text: string) => text.trim() !== '' && text.trim() !== value && change(text.trim());
    return (
      <TypedField type="text" className="short-text" value={String(value)} take={take} maxLength={100} spellCheck={false} {...named} />
    );
  }
  if (control.kind === 'number') {
    const { min, max, step } = control;
    const take = (text: string) => {
      const number = Number(text);
      if (text !== '' && number >= min && number <= max && number !== value) change(number);
    };
    const bounds = { min, max, step };
    return <TypedField type="number" className="number" value={String(value)} take={take} isQuick {...bounds} {...named} />;
  }
  return (
    <ToggleButtonGroup
      className="choice-buttons"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[String(value)]}
      onSelectionChange={(keys) => {
        for (const option of keys) change(String(option));
      }}
      {...named}
    >
      {control.options.map((option) => (
        <ToggleButton key={option} id={option}>
          {words(`${at}.options.${option}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
