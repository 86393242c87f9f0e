import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { app, safeStorage } from 'electron';
import { Fault, faultFromSystem } from '#protocol';
import type { SecretAsk } from './core-message.ts';

/** Where the sealed secrets are: only the system's own store can open them. */
const file = () => join(app.getPath('userData'), 'secrets.json');

/** Answers a core that asks for a secret, or keeps one, in the secret store of the system. */
export function answerSecret(ask: SecretAsk): string | null {
  const isSafe = isStoreThere();
  if (ask.act === 'kind') return isSafe ? 'system' : null;
  if (ask.act === 'get') return isSafe ? opened(read()[ask.name]) : null;
  if (!isSafe) throw new Fault('ai-key-unkept', {});
  const { [ask.name]: _, ...others } = read();
  write(ask.value === null ? others : { ...others, [ask.name]: safeStorage.encryptString(ask.value).toString('base64') });
  return null;
}

/** Without a keyring Linux would only hide a text, and not seal it. */
function isStoreThere(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  return process.platform !== 'linux' || safeStorage.getSelectedStorageBackend() !== 'basic_text';
}

/** What another user or another machine sealed cannot be opened: then there is no key. */
function opened(sealed: string | undefined): string | null {
  try {
    return sealed === undefined ? null : safeStorage.decryptString(Buffer.from(sealed, 'base64'));
  } catch {
    return null;
  }
}

function read(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}

function write(secrets: Readonly<Record<string, string>>): void {
  try {
    mkdirSync(dirname(file()), { recursive: true });
    writeFileSync(`${file()}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${file()}.new`, file());
  } catch (error) {
    throw faultFromSystem(error, file());
  }
}
