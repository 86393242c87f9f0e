import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import { channels, type DesktopBridge, type PortMessage, windowArgument } from '#protocol/desktop';

const given = process.argv.find((argument) => argument.startsWith(windowArgument));
const windowId = Number(given?.slice(windowArgument.length));

// A port cannot cross the bridge: it goes to the page as any message of its own window does.
ipcRenderer.on(channels.port, ({ ports }) => {
  window.postMessage({ stemma: 'port', windowId } satisfies PortMessage, location.origin, ports);
});

/** Undo and redo in a field are the field's own; all other commands are the page's. */
function isDoneByField(id: string): boolean {
  const command = { 'edit.undo': 'undo', 'edit.redo': 'redo' }[id];
  if (command === undefined || !document.activeElement?.closest('input, textarea')) return false;
  document.execCommand(command);
  return true;
}

let finish: () => Promise<void> = async () => {};
ipcRenderer.on(channels.closing, () => {
  const done = () => ipcRenderer.send(channels.closed);
  // A page that fails to finish must still be able to close.
  Promise.resolve().then(finish).then(done, done);
});

let showDocument: ((path: string) => void) | null = null;
const early: string[] = [];
ipcRenderer.on(channels.open, (_event, path: string) => {
  if (showDocument === null) early.push(path);
  else showDocument(path);
});

// A file keeps its place only on this side; the page is told of the same drop after this.
let dropped: readonly string[] = [];
addEventListener(
  'drop',
  ({ dataTransfer }) => {
    dropped = [...(dataTransfer?.files ?? [])].map((file) => webUtils.getPathForFile(file));
  },
  true,
);

const bridge: DesktopBridge = {
  platform: process.platform,
  windowId,
  openFolder: () => ipcRenderer.send(channels.shellCommand, 'file.open-folder'),
  shellCommand: (id) => ipcRenderer.send(channels.shellCommand, id),
  fallback: () => ipcRenderer.invoke(channels.fallback),
  openLink: (url) => ipcRenderer.invoke(channels.openLink, url),
  saveExport: (file) => ipcRenderer.invoke(channels.saveExport, file),
  onCommand(listener) {
    const heard = (_event: IpcRendererEvent, id: string) => {
      if (!isDoneByField(id)) listener(id);
    };
    ipcRenderer.on(channels.command, heard);
    return () => void ipcRenderer.off(channels.command, heard);
  },
  openPath: (path) => ipcRenderer.send(channels.openPath, path),
  onOpen(listener) {
    showDocument = listener;
    for (const path of early.splice(0)) listener(path);
  },
  droppedPaths: () => dropped,
  onClosing(listener) {
    finish = listener;
  },
  report: (state) => ipcRenderer.send(channels.report, state),
};
contextBridge.exposeInMainWorld('stemma', bridge);
