import { existsSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
  'msedge',
];
const macPrograms = ['Chromium.app/Contents/MacOS/Chromium', 'Google Chrome.app/Contents/MacOS/Google Chrome'].concat(
  'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
);
const windowsPrograms = ['Chromium\\Application\\chrome.exe', 'Google\\Chrome\\Application\\chrome.exe'].concat(
  'Microsoft\\Edge\\Application\\msedge.exe',
);

const flags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** How to start the browser that tests use: CHROME_PATH, an installed Chromium, Chrome or Edge, else the one that npm installed. */
export async function browserOptions(): Promise<LaunchOptions> {
  const chromiumSandbox = process.getuid?.() !== 0;
  const installed = process.env.CHROME_PATH || installedBrowser();
  if (installed) return { executablePath: installed, args: flags, chromiumSandbox };
  const packed = await packedBrowser();
  if (packed === undefined) throw new Error('No browser was found: set CHROME_PATH to a Chromium, Chrome or Edge, or install one of them.');
  return { executablePath: packed.path, args: [...flags, ...packed.args], chromiumSandbox: false };
}

function installedBrowser(): string | undefined {
  return candidates().find((path) => existsSync(path) && statSync(path).isFile());
}

function candidates(): string[] {
  if (process.platform === 'darwin') return macPrograms.map((program) => join('/Applications', program));
  if (process.platform === 'win32') {
    const { PROGRAMFILES = '', 'PROGRAMFILES(X86)': x86 = '', LOCALAPPDATA = '' } = process.env;
    return [PROGRAMFILES, x86, LOCALAPPDATA].filter(Boolean).flatMap((folder) => windowsPrograms.map((program) => join(folder, program)));
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** The headless shell of @sparticuz/chromium exists for Linux on x64 only. */
async function packedBrowser(): Promise<{ path: string; args: string[] } | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    return { path: await chromium.executablePath(), args: chromium.args };
  } catch {
    return undefined;
  }
}
