// The yardstick of a rebuild: reads and parses every line of a ledger and keeps nothing. No types, so that nothing is stripped.
import fs from 'node:fs';
import path from 'node:path';

const folder = path.join(process.argv[2], '.vmark', 'ledger');
for (const name of fs.readdirSync(folder)) {
  const bytes = fs.readFileSync(path.join(folder, name));
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    JSON.parse(bytes.utf8Slice(start, end));
    start = end + 1;
  }
}
