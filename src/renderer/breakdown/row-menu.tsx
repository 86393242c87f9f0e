import { Ellipsis } from 'lucide-react';
import { useRef, useState } from 'react';
import { Menu, MenuItem, Popover } from 'react-aria-components';
import type { ListedRow } from '#renderer/breakdown/listing.ts';
import type { PageVerbs } from '#renderer/breakdown/page-verbs.ts';
import { joinable } from '#renderer/breakdown/row-words.ts';
import { useBreakdownWords } from '#renderer/breakdown/words.ts';

/** What else can be done with a row. The menu is made when it is opened: there may be hundreds of rows. */
export function RowMenu({
  listed,
  name,
  isCurrent,
  isSelected,
  verbs,
}: {
  readonly listed: ListedRow;
  readonly name: string;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly verbs: PageVerbs;
}) {
  const words = useBreakdownWords();
  const trigger = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className="bd-menu-button"
        aria-label={words('menu.label', { row: name })}
        aria-haspopup="menu"
        aria-expanded={isOpen || undefined}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={() => verbs.focused(listed.key)}
        onClick={() => setOpen(true)}
      >
        <Ellipsis size={15} aria-hidden />
      </button>
      {isOpen && (
        <Popover
          aria-label={words('menu.label', { row: name })}
          triggerRef={trigger}
          isOpen
          onOpenChange={setOpen}
          placement="bottom end"
          className="bd-menu"
        >
          <Menu
            autoFocus="first"
            aria-label={words('menu.label', { row: name })}
            items={itemsOf(listed, isSelected)}
            onClose={() => setOpen(false)}
            onAction={(key) => act(listed, String(key), verbs)}
          >
            {({ id }) => (
              <MenuItem id={id} className="bd-menu-item">
                {words(`menu.${id}`, { source: listed.row.source?.path ?? '' })}
              </MenuItem>
            )}
          </Menu>
        </Popover>
      )}
    </>
  );
}

function itemsOf({ row, artifact }: ListedRow, isSelected: boolean): { id: string }[] {
  const isEdge = row.edge !== null;
  const isFinished = artifact.lifecycle === 'finished';
  const items = [
    ...(isEdge ? [isSelected ? 'unselect' : 'select'] : []),
    ...(joinable({ row, artifact }) === null ? [] : ['join']),
    ...(row.actions.revise ? ['revise'] : []),
    ...(isEdge ? [row.section === null ? 'anchor' : 'change-anchor'] : []),
    ...(isEdge && row.section !== null ? ['whole-file'] : []),
    ...(!isFinished || row.state === 'finished-changed' ? ['finish'] : []),
    ...(isFinished ? ['reopen'] : []),
    ...(isEdge ? ['touch-source'] : []),
    'touch-artifact',
  ];
  return items.map((id) => ({ id }));
}

function act(listed: ListedRow, key: string, verbs: PageVerbs): void {
  const { row, artifact } = listed;
  if (key === 'select' || key === 'unselect') verbs.select(listed);
  else if (key === 'join') verbs.ask({ kind: 'join', path: joinable(listed)!, copy: null });
  else if (key === 'revise') verbs.revise(listed);
  else if (key === 'anchor' || key === 'change-anchor') verbs.ask({ kind: 'sections', row: listed });
  else if (key === 'whole-file') verbs.narrow(listed, []);
  else if (key === 'finish') verbs.ask({ kind: 'finish', document: artifact });
  else if (key === 'reopen') verbs.finish(artifact, 'live', '');
  else verbs.ask({ kind: 'touch', document: key === 'touch-source' && row.source !== null ? row.source : artifact });
}
