import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import { channels, type DesktopBridge, type PortMessage, windowArgument } from '#protocol/desktop';

const given = process.argv.find((argument) => argument.startsWith(windowArgument));
const windowId = Number(given?.slice(windowArgument.length));

// A port cannot cross the bridge: it goes to the page as any message of its own window does.
ipcRenderer.on(channels.port, ({ ports }) => {
  window.postMessage({ stemma: 'port', windowId } satisfies PortMessage, location.origin, ports);
});

let finish: () => Promise<void> = async () => {};
ipcRenderer.on(channels.closing, () => {
  // A page that fails to finish must still be able to close.
  void finish().finally(() => ipcRenderer.send(channels.closed));
});

const bridge: DesktopBridge = {
  platform: process.platform,
  windowId,
  openFolder: () => ipcRenderer.send(channels.shellCommand, 'file.open-folder'),
  shellCommand: (id) => ipcRenderer.send(channels.shellCommand, id),
  fallback: () => ipcRenderer.invoke(channels.fallback),
  openLink: (url) => ipcRenderer.invoke(channels.openLink, url),
  onCommand(listener) {
    const heard = (_event: IpcRendererEvent, id: string) => listener(id);
    ipcRenderer.on(channels.command, heard);
    return () => void ipcRenderer.off(channels.command, heard);
  },
  onClosing(listener) {
    finish = listener;
  },
  report: (state) => ipcRenderer.send(channels.report, state),
};
contextBridge.exposeInMainWorld('stemma', bridge);
