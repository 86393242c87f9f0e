import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { type Disk, makeFolder, readIfThere } from '#core/storage/disk';
import { writeAtomic } from '#core/storage/replacing';
import { Fault, faultFromSystem } from '#protocol';

/** Writes a value as JSON into a file of the app data that is for this user only (mode 0600): whole, or the old file stands. */
export function writePrivate(disk: Disk, file: string, value: unknown): void {
  const owner = { mode: 0o600, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  try {
    makeFolder(disk, dirname(file));
    const text = `${JSON.stringify(value, null, 2)}\n`;
    writeAtomic(disk, file, Buffer.from(text, 'utf8'), `${file}.${randomBytes(6).toString('hex')}.new`, owner);
  } catch (error) {
    throw faultFromSystem(error, file);
  }
}

/**
 * Reads such a file; `empty` where there is none. A file that `isRight` does not know is `settings-unreadable` and is never overwritten;
 * nothing of what it holds is in the fault.
 */
export function readPrivate<Value>(disk: Disk, file: string, empty: Value, isRight: (value: unknown) => value is Value): Value {
  try {
    const bytes = readIfThere(disk, file);
    if (bytes === null) return empty;
    const read: unknown = JSON.parse(bytes.toString('utf8'));
    if (isRight(read)) return read;
  } catch (error) {
    // What a parser says of a text may hold a part of it.
    if (!(error instanceof SyntaxError)) throw faultFromSystem(error, file);
  }
  throw new Fault('settings-unreadable', { path: file });
}

/** Whether a value is an object whose values are all texts. */
export function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every((one) => typeof one === 'string')
  );
}
