import { redo, undo } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { bodyStart } from '../front.ts';
import { addItem, addProperty, type Change, type Property, propertiesOf, removeItem, removeProperty, setText } from './front-property.ts';
import { place } from './neighbours.ts';

/** The form of a frontmatter on the page. */
export interface FrontView {
  readonly dom: HTMLElement;
  /** Shows the frontmatter as it is now; a field that says so already is left alone. */
  show(): void;
  focusLast(): void;
}

/** Makes the form of an editor's frontmatter. Each edit of a field is a change of its value in the source, at once. */
export function createForm(view: EditorView): FrontView {
  const { say } = view.state.facet(place);
  const dom = document.createElement('section');
  dom.className = 'cm-front-form';
  dom.setAttribute('aria-label', say('live.properties'));
  const rows = dom.appendChild(document.createElement('dl'));
  const foot = dom.appendChild(document.createElement('div'));
  foot.className = 'cm-front-foot';
  let shape = '';
  let properties: readonly Property[] = [];

  const change = (spec: Change | null, event: string) => {
    if (spec !== null && !view.state.readOnly) view.dispatch({ changes: spec, userEvent: event });
  };
  const property = (at: number) => propertiesOf(view.state.doc)?.[at];

  const textField = (at: number, key: string, item: number | null): HTMLInputElement => {
    const input = document.createElement('input');
    input.type = 'text';
    input.dir = 'auto';
    input.autocomplete = 'off';
    input.setAttribute('aria-label', key);
    const write = () => {
      const value = property(at)?.value;
      const range = item === null ? (value?.kind === 'text' ? value : undefined) : value?.kind === 'list' ? value.items[item] : undefined;
      if (range !== undefined && range.text !== input.value)
        change(setText(view.state.doc, range, input.value, item !== null), 'input.type');
    };
    input.addEventListener('input', (event) => !(event as InputEvent).isComposing && write());
    input.addEventListener('compositionend', write);
    input.readOnly = view.state.readOnly;
    return input;
  };

  const rowOf = (at: number, { key, value }: Property): readonly HTMLElement[] => {
    const name = document.createElement('dt');
    name.textContent = key;
    const data = document.createElement('dd');
    if (value.kind === 'text') data.append(textField(at, key, null));
    else if (value.kind === 'flag') data.append(flagField(at, key));
    else if (value.kind === 'list') data.append(listField(at, key, value.items.length));
    else data.append(rawField(at, key));
    const remove = button('✕', say('live.property-remove', { key }), () => {
      const now = property(at);
      if (now !== undefined) change(removeProperty(now), 'delete');
    });
    remove.className = 'cm-front-remove';
    data.append(remove);
    return [name, data];
  };

  const flagField = (at: number, key: string) => {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.setAttribute('aria-label', key);
    box.addEventListener('change', () => {
      const value = property(at)?.value;
      if (value?.kind === 'flag') change({ from: value.from, to: value.to, insert: String(box.checked) }, 'input');
    });
    return box;
  };

  const listField = (at: number, key: string, count: number) => {
    const list = document.createElement('span');
    list.className = 'cm-front-list';
    for (let item = 0; item < count; item++) {
      const chip = list.appendChild(document.createElement('span'));
      chip.className = 'cm-front-item';
      chip.append(
        textField(at, `${key} ${item + 1}`, item),
        button('×', say('live.item-remove', { key, item: item + 1 }), () => {
          const now = property(at);
          if (now !== undefined) change(removeItem(view.state.doc, now, item), 'delete');
        }),
      );
    }
    const more = button('+', say('live.item-add', { key }), () => {
      const now = property(at);
      if (now === undefined) return;
      change(addItem(now, say('live.item-new')), 'input');
      queueMicrotask(() => rows.querySelectorAll('dd')[at]?.querySelectorAll<HTMLInputElement>('input')[count]?.select());
    });
    list.append(more);
    return list;
  };

  const rawField = (at: number, key: string) => {
    const text = button('', say('live.property-raw', { key }), () => openText(property(at)?.lines.from));
    text.className = 'cm-front-raw';
    return text;
  };

  const openText = (at: number | undefined) => {
    view.dispatch({ selection: { anchor: at ?? 4 }, scrollIntoView: true, userEvent: 'select' });
    view.focus();
  };

  const leave = () => {
    view.dispatch({ selection: { anchor: bodyStart(view.state) }, scrollIntoView: true, userEvent: 'select' });
    view.focus();
  };

  foot.append(
    button(say('live.property-add'), null, () => {
      const name = newName(say('live.property-new'));
      change(addProperty(view.state.doc, name), 'input');
      queueMicrotask(() => fieldsOf(dom).at(-1)?.focus());
    }),
    button(say('live.properties-text'), null, () => openText(4)),
  );
  const newName = (word: string) => {
    const taken = new Set(properties.map(({ key }) => key));
    for (let turn = 1; ; turn++) {
      const name = turn === 1 ? word : `${word}-${turn}`;
      if (!taken.has(name)) return name;
    }
  };

  dom.addEventListener('keydown', (event) => onKey(event, view, dom, leave));
  return {
    dom,
    show() {
      properties = propertiesOf(view.state.doc) ?? [];
      const next = properties.map(({ key, value }) => `${key} ${value.kind} ${value.kind === 'list' ? value.items.length : ''}`).join('\n');
      if (next !== shape) rows.replaceChildren(...properties.flatMap((property, at) => rowOf(at, property)));
      shape = next;
      fill(rows, properties);
      view.requestMeasure();
    },
    focusLast: () => fieldsOf(dom).at(-1)?.focus(),
  };
}

const fieldsOf = (dom: HTMLElement) => [...dom.querySelectorAll<HTMLElement>('dd input, dd .cm-front-raw')];

/** Puts the values into the fields that say something else; the cursor of a field that is written in stays. */
function fill(rows: HTMLElement, properties: readonly Property[]): void {
  const data = rows.querySelectorAll('dd');
  properties.forEach(({ value }, at) => {
    const inputs = [...(data[at]?.querySelectorAll('input') ?? [])];
    const raw = data[at]?.querySelector<HTMLElement>('.cm-front-raw');
    if (value.kind === 'flag') inputs[0]!.checked = value.isOn;
    else if (value.kind === 'raw' && raw != null) raw.textContent = value.text;
    const texts = value.kind === 'text' ? [value.text] : value.kind === 'list' ? value.items.map(({ text }) => text) : [];
    texts.forEach((text, item) => {
      const input = inputs[item];
      if (input !== undefined && input.value !== text) input.value = text;
      if (input !== undefined && value.kind === 'list') input.size = Math.max(2, Math.min(40, text.length));
    });
  });
}

function onKey(event: KeyboardEvent, view: EditorView, dom: HTMLElement, leave: () => void): void {
  if (event.isComposing) return;
  const fields = fieldsOf(dom);
  const at = fields.indexOf(event.target as HTMLElement);
  const isMod = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  if (isMod && !event.altKey && (key === 'z' || key === 'y')) (key === 'y' || event.shiftKey ? redo : undo)(view);
  else if (key === 'escape') leave();
  else if (at >= 0 && (key === 'enter' || key === 'arrowdown') && !(event.target instanceof HTMLButtonElement)) {
    const next = fields[at + 1];
    if (next === undefined) leave();
    else next.focus();
  } else if (at >= 0 && key === 'arrowup') fields[at - 1]?.focus();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function button(text: string, name: string | null, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = text;
  if (name !== null) {
    made.title = name;
    made.setAttribute('aria-label', name);
  }
  made.addEventListener('click', act);
  return made;
}
