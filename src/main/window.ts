import { join } from 'node:path';
import { app, BrowserWindow, screen } from 'electron';
import { appOrigin, pagePaths, windowArgument } from '#protocol/desktop';
import { type Bounds, centred, fitBounds, leastSize } from './bounds.ts';
import type { WindowState } from './window-state.ts';

/** What a window shows. */
export type WindowKind = keyof typeof pagePaths;

const sizes = { editor: { width: 1280, height: 840 }, breakdown: { width: 960, height: 760 } } as const;

/** What a window is opened with; `key` is where its place is remembered. */
export interface WindowRequest {
  readonly kind: WindowKind;
  readonly key: string;
  readonly title: string;
  readonly state: WindowState;
}

let last = 0;

/** Opens a window at the place that it had, as far as that is on a screen, and remembers where it is moved to. Its page has no Node. */
export function openWindow({ kind, key, title, state }: WindowRequest): { readonly id: number; readonly window: BrowserWindow } {
  const known = state.placement(key);
  last += 1;
  const window = new BrowserWindow({
    ...placeFor(kind, known?.bounds),
    minWidth: leastSize.width,
    minHeight: leastSize.height,
    title,
    show: false,
    webPreferences: {
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      additionalArguments: [`${windowArgument}${last}`],
    },
  });
  if (known?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  // The page says its title through its report; the `<title>` of the file is for browsers.
  window.on('page-title-updated', (event) => event.preventDefault());
  const keep = () => state.keepPlacement(key, { bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  rememberPlace(window, keep);
  void window.loadURL(`${appOrigin.scheme}://${appOrigin.host}${pagePaths[kind]}`).catch(() => {
    // A window that is closed while it loads; a page that is not there shows as an empty window.
  });
  return { id: last, window };
}

function placeFor(kind: WindowKind, known: Bounds | undefined): Bounds {
  if (known === undefined) return centred(sizes[kind], screen.getPrimaryDisplay().workArea);
  const [first = screen.getPrimaryDisplay(), ...others] = screen.getAllDisplays();
  return fitBounds(known, [first.workArea, ...others.map(({ workArea }) => workArea)]);
}

/** Moving tells many places a second; the one where it rests is kept, and the last one before it closes. */
function rememberPlace(window: BrowserWindow, keep: () => void): void {
  let rest: NodeJS.Timeout | undefined;
  const moved = () => {
    clearTimeout(rest);
    rest = setTimeout(keep, 500);
  };
  window.on('resize', moved);
  window.on('move', moved);
  window.on('close', () => {
    clearTimeout(rest);
    keep();
  });
}

/** Brings a window to the front, wherever it is. */
export function present(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
  if (process.platform === 'darwin') app.focus({ steal: true });
}
