import { ChevronRight } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Collection } from 'react-aria-components/Collection';
import { TreeItem, TreeItemContent } from 'react-aria-components/Tree';
import type { Branch } from './tree.ts';

interface RowProps {
  readonly branch: Branch;
  readonly shown: ReadonlySet<string>;
  readonly active: string | null;
  readonly act: (branch: Branch) => void;
  readonly item: (branch: Branch) => React.ReactElement;
}

/** One file or folder of the tree. */
export function Row({ branch, shown, active, act, item }: RowProps) {
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
