import { ListTree } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Tree } from 'react-aria-components/Tree';
import { useDragAndDrop } from 'react-aria-components/useDragAndDrop';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { folderOf, nameOf } from '#kernel/address';
import { toggleOutline } from '#renderer/ui/outline.ts';
import { focusPage, type Studio, useStudio, useTabs, useWorkspace } from '#renderer/ui/studio.ts';
import { useLocale, useWords } from '#renderer/words.ts';
import { moveOrAsk, takeBack, throwAway } from './acts.ts';
import { FileMenu, type MenuPlace } from './file-menu.tsx';
import { RenameField } from './rename-field.tsx';
import { Row } from './row.tsx';
import { allFolders, type Branch, filteredFiles, foldersOf, rowOf, treeOf } from './tree.ts';
import './explorer.css';

/** The files of the workspace. One click looks at a document, a double click or Enter keeps it open. */
export function FileTree({ isHidden }: { readonly isHidden: boolean }) {
  const words = useWords();
  const name = useWorkspace(({ info }) => info?.name ?? '');
  const studio = useStudio();
  const active = useTabs((tabs) => tabs.active);
  const [filter, setFilter] = useState('');
  return (
    <nav className="side" data-region="files" tabIndex={-1} aria-label={words('regions.files')} hidden={isHidden}>
      <h2>
        <span className="side-name">{name}</span>
        <button
          type="button"
          className="quiet side-switch"
          aria-label={words('outline.open')}
          title={words('outline.open')}
          disabled={active === null}
          onClick={() => void toggleOutline(studio)}
        >
          <ListTree size={14} aria-hidden="true" />
        </button>
      </h2>
      <input
        type="search"
        className="filter"
        aria-label={words('explorer.filter')}
        placeholder={words('explorer.filter')}
        value={filter}
        spellCheck={false}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && setFilter('')}
      />
      <Files filter={filter} />
    </nav>
  );
}

/** How high a row is, in CSS pixels. */
const rowHeight = 26;

/** Two clicks within this many ms are one double click. */
const doubled = 500;

function Files({ filter }: { readonly filter: string }) {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const { documents } = studio;
  const files = useWorkspace((workspace) => workspace.files);
  const isListed = useWorkspace(({ info }) => info !== null);
  const emptyFolders = useWorkspace((workspace) => workspace.emptyFolders);
  const active = useTabs((tabs) => tabs.active);
  const folders = filter.trim() === '' ? emptyFolders : none;
  const tree = useMemo(() => treeOf(filteredFiles(files, filter), locale, folders), [files, filter, locale, folders]);
  const [expanded, setExpanded] = useExpanded(active);
  const shown = useMemo(() => (filter.trim() === '' ? expanded : new Set(allFolders(tree))), [filter, expanded, tree]);
  const toggle = (path: string) => setExpanded(shown.has(path) ? without(shown, path) : new Set(shown).add(path));
  const frame = useReveal(active, tree, shown);
  const isByKey = useRef(false);
  const last = useRef({ path: '', at: 0 });
  const [menu, setMenu] = useState<MenuPlace | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const dragging = useDragging(studio);
  const act = (branch: Branch) => {
    if (branch.kind === 'folder') return toggle(branch.path);
    const now = performance.now();
    const isSecond = last.current.path === branch.path && now - last.current.at < doubled;
    last.current = { path: branch.path, at: now };
    const stays = isByKey.current || isSecond;
    void documents.open(branch.path, { preview: !stays }).then(() => stays && focusPage(studio));
  };
  const item = (branch: Branch) => <Row key={branch.path} branch={branch} shown={shown} active={active} act={act} item={item} />;
  return (
    <div
      ref={frame}
      className="tree-frame"
      role="presentation"
      onKeyDownCapture={(event) => {
        isByKey.current = true;
        onKey(event, studio, setRenamed);
      }}
      onPointerDownCapture={() => {
        isByKey.current = false;
      }}
      onContextMenuCapture={(event) => {
        event.preventDefault();
        setMenu(placeOf(event.nativeEvent, files));
      }}
    >
      {isListed && tree.length === 0 && <p className="muted none">{words(files.length === 0 ? 'explorer.empty' : 'explorer.none')}</p>}
      {tree.length > 0 && (
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight }}>
          <Tree
            className="tree"
            aria-label={words('regions.files')}
            items={tree}
            dependencies={[shown, active]}
            expandedKeys={shown}
            onExpandedChange={(keys) => setExpanded(new Set([...keys].map(String)))}
            selectionMode="none"
            dragAndDropHooks={dragging}
          >
            {item}
          </Tree>
        </Virtualizer>
      )}
      {menu !== null && <FileMenu place={menu} close={() => setMenu(null)} rename={setRenamed} />}
      {renamed !== null && <RenameField key={renamed} path={renamed} close={() => setRenamed(null)} />}
    </div>
  );
}

const none: readonly string[] = [];

/** The path of the row that an event comes from; null beside all rows. */
const pathAt = (target: EventTarget | null): string | null =>
  (target as Element | null)?.closest('.node')?.getAttribute('data-key') ?? null;

function placeOf({ target, clientX, clientY }: MouseEvent, files: readonly { path: string }[]): MenuPlace {
  const path = pathAt(target);
  return { path, isFolder: path === null || !files.some((file) => file.path === path), x: clientX, y: clientY };
}

function onKey(event: KeyboardEvent, studio: Studio, rename: (path: string) => void): void {
  const path = pathAt(event.target);
  const mod = studio.isMac ? event.metaKey : event.ctrlKey;
  const { undo } = studio.view.store.getState();
  if (event.key === 'F2' && path !== null) rename(path);
  else if (path !== null && (event.key === 'Delete' || (studio.isMac && mod && event.key === 'Backspace'))) void throwAway(studio, [path]);
  else if (mod && !event.shiftKey && event.key.toLowerCase() === 'z' && path !== null && undo !== null) void takeBack(studio, undo);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The folders that are open: those of the document in front are opened with it. */
function useExpanded(active: string | null) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (active !== null) setExpanded((known) => new Set([...known, ...foldersOf(active)]));
  }, [active]);
  return [expanded, setExpanded] as const;
}

/** Brings the row of the document in front into sight, once each time another one comes to the front. The answer is the `ref` of the frame. */
function useReveal(active: string | null, tree: readonly Branch[], shown: ReadonlySet<string>) {
  const frame = useRef<HTMLDivElement>(null);
  const revealed = useRef<string | null>(null);
  useEffect(() => {
    if (active === null || revealed.current === active) return;
    const row = foldersOf(active).every((folder) => shown.has(folder)) ? rowOf(tree, shown, active) : null;
    if (row === null) return;
    revealed.current = active;
    // The rows of folders that were opened with it are there with the next frame.
    requestAnimationFrame(() => {
      const list = frame.current?.querySelector('[role=treegrid]');
      if (!list) return;
      const top = row * rowHeight;
      const isSeen = top >= list.scrollTop && top + rowHeight <= list.scrollTop + list.clientHeight;
      if (!isSeen) list.scrollTop = Math.max(0, top - list.clientHeight / 2);
    });
  }, [active, tree, shown]);
  return frame;
}

const without = (paths: ReadonlySet<string>, path: string) => new Set([...paths].filter((other) => other !== path));

/** How the tree says that it is one of its rows that is dragged. */
const dragged = 'application/x-stemma-path';

/** Rows are dragged into folders, beside a file into its folder, and below all rows to the top. */
function useDragging(studio: Studio) {
  const isFile = (path: string) => studio.workspace.store.getState().files.some((file) => file.path === path);
  const drop = async (items: readonly { types: Set<string | symbol>; getText?(type: string): Promise<string> }[], folder: string) => {
    const paths = await Promise.all(items.map((item) => item.getText?.(dragged) ?? Promise.resolve('')));
    const moves = paths.filter(Boolean).map((from) => ({ from, to: folder === '' ? nameOf(from) : `${folder}/${nameOf(from)}` }));
    await moveOrAsk(
      studio,
      moves.filter(({ from, to }) => from !== to && from !== folder),
    );
  };
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ [dragged]: String(key), 'text/plain': nameOf(String(key)) })),
    acceptedDragTypes: [dragged],
    getDropOperation: () => 'move',
    onRootDrop: ({ items }) => void drop(items as never, ''),
    onItemDrop: ({ items, target }) => {
      const path = String(target.key);
      void drop(items as never, isFile(path) ? folderOf(path) : path);
    },
  });
  return dragAndDropHooks;
}
