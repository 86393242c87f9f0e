// What `import … from 'electron'` finds in the main process. Names that are missing here fail the import, which is what is wanted.
export { app } from './app.ts';
export { dialog, nativeTheme, shell } from './desktop.ts';
export { ipcMain } from './ipc.ts';
export { Menu, MenuItem } from './menu.ts';
export { MessageChannelMain } from './port.ts';
export { safeStorage } from './safe-storage.ts';
export { protocol } from './scheme.ts';
export { screen } from './screen.ts';
export { session } from './session.ts';
export { utilityProcess } from './utility.ts';
export { BrowserWindow } from './window.ts';
