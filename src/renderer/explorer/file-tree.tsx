import { ChevronRight } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { Tree, TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer';
import { focusPage, useStudio, useTabs, useWorkspace } from '#renderer/ui/studio.ts';
import { useLocale, useWords } from '#renderer/words.ts';
import { allFolders, type Branch, filteredFiles, foldersOf, treeOf } from './tree.ts';
import './explorer.css';

/** The files of the workspace. One click looks at a document, a double click or Enter keeps it open. */
export function FileTree() {
  const words = useWords();
  const name = useWorkspace(({ info }) => info?.name ?? '');
  const [filter, setFilter] = useState('');
  return (
    <nav className="side" data-region="files" tabIndex={-1} aria-label={words('regions.files')}>
      <h2>{name}</h2>
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

/** Two clicks within this many ms are one double click. */
const doubled = 500;

function Files({ filter }: { readonly filter: string }) {
  const words = useWords();
  const locale = useLocale();
  const studio = useStudio();
  const { documents } = studio;
  const files = useWorkspace((workspace) => workspace.files);
  const active = useTabs((tabs) => tabs.active);
  const tree = useMemo(() => treeOf(filteredFiles(files, filter), locale), [files, filter, locale]);
  const [expanded, setExpanded] = useExpanded(active);
  const shown = useMemo(() => (filter.trim() === '' ? expanded : new Set(allFolders(tree))), [filter, expanded, tree]);
  const toggle = (path: string) => setExpanded(shown.has(path) ? without(shown, path) : new Set(shown).add(path));
  const isByKey = useRef(false);
  const last = useRef({ path: '', at: 0 });
  const act = (branch: Branch) => {
    if (branch.kind === 'folder') return toggle(branch.path);
    const now = performance.now();
    const isSecond = last.current.path === branch.path && now - last.current.at < doubled;
    last.current = { path: branch.path, at: now };
    const stays = isByKey.current || isSecond;
    void documents.open(branch.path, { preview: !stays }).then(() => stays && focusPage(studio));
  };
  const item = (branch: Branch) => <Row key={branch.path} branch={branch} shown={shown} active={active} act={act} item={item} />;
  if (tree.length === 0) return <p className="muted none">{words(files.length === 0 ? 'explorer.empty' : 'explorer.none')}</p>;
  return (
    <div
      className="tree-frame"
      role="presentation"
      onKeyDownCapture={() => {
        isByKey.current = true;
      }}
      onPointerDownCapture={() => {
        isByKey.current = false;
      }}
    >
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: 26 }}>
        <Tree
          className="tree"
          aria-label={words('regions.files')}
          items={tree}
          dependencies={[shown, active]}
          expandedKeys={shown}
          onExpandedChange={(keys) => setExpanded(new Set([...keys].map(String)))}
          selectionMode="none"
        >
          {item}
        </Tree>
      </Virtualizer>
    </div>
  );
}

/** The folders that are open: those of the document in front are opened with it. */
function useExpanded(active: string | null) {
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (active !== null) setExpanded((known) => new Set([...known, ...foldersOf(active)]));
  }, [active]);
  return [expanded, setExpanded] as const;
}

const without = (paths: ReadonlySet<string>, path: string) => new Set([...paths].filter((other) => other !== path));

interface RowProps {
  readonly branch: Branch;
  readonly shown: ReadonlySet<string>;
  readonly active: string | null;
  readonly act: (branch: Branch) => void;
  readonly item: (branch: Branch) => React.ReactElement;
}

function Row({ branch, shown, active, act, item }: RowProps) {
  const { path, name, kind } = branch;
  const isFaint = kind === 'file' && !branch.document;
  // Of a folder that is closed one child is enough to tell that it can be opened; nobody sees it.
  const children = kind === 'folder' ? branch.children.slice(0, shown.has(path) ? undefined : 1) : [];
  return (
    <TreeItem
      id={path}
      textValue={name}
      className="node"
      hasChildItems={kind === 'folder'}
      onAction={() => act(branch)}
      data-kind={kind}
      data-faint={isFaint}
      data-current={path === active}
      {...(path === active ? { 'aria-current': 'page' as const } : {})}
    >
      <TreeItemContent>
        <span className="node-face">
          {kind === 'folder' && (
            <Button slot="chevron" className="chevron">
              <ChevronRight size={13} aria-hidden="true" />
            </Button>
          )}
          <span className="node-name">{name}</span>
        </span>
      </TreeItemContent>
      <Collection items={children}>{item}</Collection>
    </TreeItem>
  );
}
