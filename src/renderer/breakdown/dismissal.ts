import { useCallback, useEffect, useState } from 'react';
import type { World } from '#renderer/breakdown/listing.ts';

/** The setting that holds what was dismissed, as short marks with spaces between them. */
const setting = 'breakdown.dismissed';

/** How many marks are kept: 1,000 characters are the most that a setting may have. */
const kept = 90;

/** Which banners were put aside; each is named by what it says and the commit that it said it at. */
export interface Dismissals {
  has(name: string): boolean;
  dismiss(name: string): void;
}

/** The banners that were put aside in this workspace, kept among the writer's settings. */
export function useDismissals({ call }: Pick<World, 'call'>): Dismissals {
  const [marks, setMarks] = useState<readonly string[]>([]);
  const [root, setRoot] = useState('');
  useEffect(() => {
    let isWanted = true;
    // Without its settings the page shows every banner again.
    const read = async () => {
      const [settings, info] = await Promise.all([call('settings/read', {}), call('workspace/info', {})]);
      if (!isWanted) return;
      setMarks(
        String(settings[setting] ?? '')
          .split(' ')
          .filter(Boolean),
      );
      setRoot(info.root);
    };
    read().catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [call]);
  const dismiss = useCallback(
    (name: string) => {
      const next = [...marks, markOf(`${root} ${name}`)].slice(-kept);
      setMarks(next);
      call('settings/write', { key: setting, value: next.join(' ') }).catch(() => undefined);
    },
    [call, marks, root],
  );
  return { has: (name) => marks.includes(markOf(`${root} ${name}`)), dismiss };
}

/** Ten characters that stand for a text; two texts that share them by chance only hide a banner. */
export function markOf(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  return ((a >>> 0).toString(36) + (b >>> 0).toString(36)).slice(0, 10);
}
