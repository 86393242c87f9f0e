import { MenuItem } from 'react-aria-components/Menu';
import { Separator } from 'react-aria-components/Separator';
import { folderOf } from '#kernel/address';
import { openSearch } from '#renderer/search/opening.ts';
import { PointerMenu } from '#renderer/ui/pointer-menu.tsx';
import { type Studio, useStudio } from '#renderer/ui/studio.ts';
import { useWords } from '#renderer/words.ts';
import { duplicate, revealFile, throwAway } from './acts.ts';

/** Where the menu of a row opens, and for what; `path` null: for the folder of the workspace. */
export interface MenuPlace {
  readonly path: string | null;
  readonly isFolder: boolean;
  readonly x: number;
  readonly y: number;
}

interface FileMenuProps {
  readonly place: MenuPlace;
  readonly close: () => void;
  readonly rename: (path: string) => void;
}

const always = ['new-document', 'new-folder', 'search'] as const;
const ofFiles = ['rename', 'move-to', 'duplicate', 'history', 'reveal'] as const;
type Choice = (typeof always)[number] | (typeof ofFiles)[number] | 'trash';

/** What can be done with a file or a folder of the tree. */
export function FileMenu({ place, close, rename }: FileMenuProps) {
  const words = useWords();
  const studio = useStudio();
  const { path, isFolder, x, y } = place;
  const item = (choice: Choice) => (
    <MenuItem key={choice} id={choice} className="menu-item" textValue={words(`files.menu.${choice}`)}>
      <span>{words(`files.menu.${choice}`)}</span>
      {keys[choice] !== undefined && <kbd>{keys[choice]}</kbd>}
    </MenuItem>
  );
  const act = (choice: string) => doChoice(studio, choice as Choice, place, rename);
  return (
    <PointerMenu x={x} y={y} name={words('files.menu.name')} close={close} act={act}>
      {always.map(item)}
      {path !== null && <Separator className="menu-line" />}
      {path !== null && ofFiles.filter((choice) => !['duplicate', 'history'].includes(choice) || !isFolder).map(item)}
      {path !== null && item('trash')}
    </PointerMenu>
  );
}

const keys: Partial<Record<Choice, string>> = { rename: 'F2', trash: 'Del' };

function doChoice(studio: Studio, choice: Choice, { path, isFolder }: MenuPlace, rename: (path: string) => void): void {
  const folder = path === null ? '' : isFolder ? path : folderOf(path);
  if (choice === 'new-document' || choice === 'new-folder') studio.view.ask({ kind: choice, folder });
  else if (choice === 'search') openSearch(studio, folder);
  else if (path === null) return;
  else if (choice === 'rename') rename(path);
  else if (choice === 'move-to') studio.view.ask({ kind: 'move-to', path });
  else if (choice === 'duplicate') void duplicate(studio, path);
  else if (choice === 'history') studio.view.ask({ kind: 'history', path });
  else if (choice === 'reveal') void revealFile(studio, path);
  else void throwAway(studio, [path]);
}
