// The yardstick of row 1, in a thread of its own: hundreds of MB of ready lines in the heap would slow every collection of what is measured.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const ledger = join(workerData as string, '.vmark', 'ledger');
const lines = readdirSync(ledger).flatMap((name) => {
  const bytes = readFileSync(join(ledger, name));
  const own: string[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    // A string of its own: a slice of the whole segment would be flattened by the parser, inside the reading.
    own.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return own;
});

parentPort?.on('message', () => {
  for (const line of lines) JSON.parse(line);
  parentPort?.postMessage(lines.length);
});
parentPort?.postMessage(lines.length);
