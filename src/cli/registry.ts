import { agents } from '#cli/agents';
import { anchors } from '#cli/anchors';
import { breakdown } from '#cli/breakdown';
import { check } from '#cli/check';
import type { CommandLine } from '#cli/command';
import { declarations } from '#cli/declarations';
import { hash } from '#cli/hash';
import { rebuild, verify } from '#cli/ledger';
import { log } from '#cli/log';
import { mcp } from '#cli/mcp';
import { record } from '#cli/record';
import { repositories } from '#cli/repositories';
import { diff, show } from '#cli/revision';
import { scan } from '#cli/scan';
import { serve } from '#cli/serve';
import { init } from '#cli/setting';
import { status } from '#cli/status';
import { track } from '#cli/track';

/** Every command, in the order of the help. */
export const registry: readonly CommandLine[] = [
  {
    name: 'serve',
    usage: '[FOLDER] [--port N] [--no-open]',
    arguments: [{ flags: '[FOLDER]', words: 'serve-folder' }],
    options: [
      { flags: '--port <N>', words: 'serve-port' },
      { flags: '--no-open', words: 'serve-no-open' },
    ],
    run: serve,
  },
  {
    name: 'init',
    usage: '',
    arguments: [],
    options: [],
    run: init,
  },
  {
    name: 'track',
    usage: 'FILE… | --all [--dry-run] [--yes]',
    arguments: [{ flags: '[FILE...]', words: 'track-files' }],
    options: [
      { flags: '--all', words: 'track-all' },
      { flags: '--dry-run', words: 'track-dry-run' },
      { flags: '--yes', words: 'track-yes' },
    ],
    run: track,
  },
  {
    name: 'status',
    usage: '',
    arguments: [],
    options: [],
    run: status,
  },
  {
    name: 'scan',
    usage: '',
    arguments: [],
    options: [],
    run: scan,
  },
  {
    name: 'breakdown',
    usage: '[--context NAME] [--all] [--no-scan]',
    arguments: [],
    options: [
      { flags: '--context <NAME>', words: 'breakdown-context' },
      { flags: '--all', words: 'breakdown-all' },
      { flags: '--no-scan', words: 'breakdown-no-scan' },
    ],
    run: breakdown,
  },
  {
    name: 'check',
    usage: '[--context NAME] [--fail-on STATES] [--sarif]',
    arguments: [],
    options: [
      { flags: '--context <NAME>', words: 'breakdown-context' },
      { flags: '--fail-on <STATES>', words: 'check-fail-on' },
      { flags: '--sarif', words: 'check-sarif' },
    ],
    run: check,
  },
  {
    name: 'anchors',
    usage:
      'add DOC --file PATH (--symbol NAME [--kind KIND] | --lines A-B) [--section HEADING]… [--repo NAME] | check [DOC] | list [DOC] | confirm ID [--hash-seen HASH] [--note TEXT] | rebind ID --file PATH … | remove ID [--actor NAME]',
    arguments: [
      { flags: '<ACTION>', words: 'anchors-action' },
      { flags: '[DOC|ID]', words: 'anchors-target' },
    ],
    options: [
      { flags: '--file <PATH>', words: 'anchors-file' },
      { flags: '--symbol <NAME>', words: 'anchors-symbol' },
      { flags: '--kind <KIND>', words: 'anchors-kind' },
      { flags: '--lines <A-B>', words: 'anchors-lines' },
      { flags: '--section <HEADING...>', words: 'anchors-section' },
      { flags: '--repo <NAME>', words: 'anchors-repo' },
      { flags: '--actor <NAME>', words: 'anchors-actor' },
      { flags: '--hash-seen <HASH>', words: 'anchors-hash-seen' },
      { flags: '--note <TEXT>', words: 'anchors-note' },
    ],
    run: anchors,
  },
  {
    name: 'declarations',
    usage: 'FILE [--repo NAME]',
    arguments: [{ flags: '<FILE>', words: 'declarations-file' }],
    options: [{ flags: '--repo <NAME>', words: 'anchors-repo' }],
    run: declarations,
  },
  {
    name: 'repositories',
    usage: 'list | link NAME (--url URL [--token-env VARIABLE] | --path FOLDER) [--ref REF] | fetch NAME | unlink NAME',
    arguments: [
      { flags: '<ACTION>', words: 'repositories-action' },
      { flags: '[NAME]', words: 'repositories-name' },
    ],
    options: [
      { flags: '--url <URL>', words: 'repositories-url' },
      { flags: '--path <FOLDER>', words: 'repositories-path' },
      { flags: '--ref <REF>', words: 'repositories-ref' },
      { flags: '--token-env <VARIABLE>', words: 'repositories-token-env' },
    ],
    run: repositories,
  },
  {
    name: 'record',
    usage: 'OUT --from FILE… [--context-from FILE…] [--agent TYPE:ID] [--intent TEXT]',
    arguments: [{ flags: '<OUT>', words: 'record-out' }],
    options: [
      { flags: '--from <FILE...>', words: 'record-from' },
      { flags: '--context-from <FILE...>', words: 'record-context-from' },
      { flags: '--agent <TYPE:ID>', words: 'record-agent' },
      { flags: '--intent <TEXT>', words: 'record-intent' },
    ],
    run: record,
  },
  {
    name: 'log',
    usage: '[FILE]',
    arguments: [{ flags: '[FILE]', words: 'log-file' }],
    options: [],
    run: log,
  },
  {
    name: 'show',
    usage: 'FILE@REV',
    arguments: [{ flags: '<FILE@REV>', words: 'show-file-at-rev' }],
    options: [],
    run: show,
  },
  {
    name: 'diff',
    usage: 'FILE REV [REV2]',
    arguments: [
      { flags: '<FILE>', words: 'diff-file' },
      { flags: '<REV>', words: 'diff-rev' },
      { flags: '[REV2]', words: 'diff-rev2' },
    ],
    options: [],
    run: diff,
  },
  {
    name: 'verify',
    usage: '[--restore-lines]',
    arguments: [],
    options: [{ flags: '--restore-lines', words: 'verify-restore-lines' }],
    run: verify,
  },
  {
    name: 'rebuild',
    usage: '',
    arguments: [],
    options: [],
    run: rebuild,
  },
  {
    name: 'hash',
    usage: 'FILE',
    arguments: [{ flags: '<FILE>', words: 'hash-file' }],
    options: [],
    run: hash,
  },
  {
    name: 'mcp',
    usage: '[FOLDER]',
    arguments: [{ flags: '[FOLDER]', words: 'mcp-folder' }],
    options: [],
    run: mcp,
  },
  {
    name: 'agents',
    usage: 'add NAME | list | remove NAME',
    arguments: [
      { flags: '<ACTION>', words: 'agents-action' },
      { flags: '[NAME]', words: 'agents-name' },
    ],
    options: [],
    run: agents,
  },
];
