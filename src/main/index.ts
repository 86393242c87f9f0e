import { join } from 'node:path';
import { app, BrowserWindow, protocol, session } from 'electron';
import { appOrigin } from '#protocol/desktop';
import { sampleBeside } from '#web/sample';
import { folderArgument } from './argument.ts';
import { serveBridge } from './bridge.ts';
import { hearClosed } from './closing.ts';
import { servePrinted } from './exported.ts';
import { guardPages, guardPermissions } from './guard.ts';
import { appDataFolder } from './home.ts';
import { servePage } from './page.ts';
import { offerContextMenu } from './pointer.ts';
import { createProgram, type Program } from './program.ts';
import { openWindowState } from './window-state.ts';

const isMac = process.platform === 'darwin';
const userData = join(appDataFolder(process.env, process.platform), 'electron');
const asked = folderArgument(process.argv, process.defaultApp === true, process.cwd());

app.setName('Stemma');
app.setPath('userData', userData);
protocol.registerSchemesAsPrivileged([
  { scheme: appOrigin.scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
]);
guardPages(app);

/** On macOS the system names files in an event, the first ones before the program is ready. */
const early: string[] = [];
let openFile = (path: string): void => void early.push(path);
app.on('open-file', (event, path) => {
  event.preventDefault();
  openFile(path);
});

// One program for one person: a second start hands its folder to the first, with the words of its own command line.
if (app.requestSingleInstanceLock({ folder: asked })) void app.whenReady().then(start);
else app.quit();

function start(): void {
  const root = join(import.meta.dirname, '../renderer');
  guardPermissions(session.defaultSession);
  hearClosed();
  const program = createProgram(openWindowState(join(userData, 'windows.json')), sampleBeside(root), () => quitIfDone(program));
  protocol.handle(appOrigin.scheme, (request) => servePrinted(request.url) ?? servePage(root, request, program.isOpen));
  serveBridge(program);
  openFile = (path) => void program.open(path);
  followApp(program);
  const [first, ...others] = [...(asked === null ? [] : [asked]), ...early.splice(0)];
  void (first === undefined ? program.openLast() : program.open(first));
  for (const path of others) void program.open(path);
}

function followApp(program: Program): void {
  app.on('second-instance', (_event, _argv, _directory, given) => {
    const folder = (given as { folder?: unknown } | null)?.folder;
    void (typeof folder === 'string' ? program.open(folder) : program.openLast());
  });
  app.on('web-contents-created', (_event, contents) => offerContextMenu(contents, program.locale));
  app.on('browser-window-focus', (_event, window) => program.focused(window));
  app.on('before-quit', () => program.quit());
  // Windows close after their page, and core after its windows: `quit` comes when all is done.
  app.on('will-quit', (event) => {
    if (program.isBusy()) event.preventDefault();
  });
  app.on('window-all-closed', () => quitIfDone(program));
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) void program.openLast();
  });
}

/** On macOS a program lives on without windows, unless the writer quits it. */
function quitIfDone(program: Program): void {
  if (program.isBusy() || BrowserWindow.getAllWindows().length > 0) return;
  if (!isMac || program.isQuitting()) app.quit();
}
