/** Why a repository of another machine could not be fetched. */
export type FetchProblem =
  | 'refused'
  | 'redirected'
  | 'unreachable'
  | 'certificate'
  | 'absent'
  | 'ref-missing'
  | 'busy'
  | 'disk-full'
  | 'other';

/** What git complained of; it was told to speak English. The order decides: a later sign also stands in complaints of the former kinds. */
export function problemIn(complaint: string): FetchProblem {
  return signs.find(([sign]) => sign.test(complaint))?.[1] ?? 'other';
}

const signs: readonly (readonly [RegExp, FetchProblem])[] = [
  [/certificate|SSL|TLS/u, 'certificate'],
  [/returned error: 30\d|redirect/u, 'redirected'],
  [/could not read Username|could not read Password|Authentication failed|returned error: 40[13]/u, 'refused'],
  [/repository '.*' not found|returned error: 4(?:04|10)|not valid: is this a git repository/u, 'absent'],
  [/couldn't find remote ref|invalid refspec|no such remote ref|not our ref|unadvertised object/iu, 'ref-missing'],
  [/No space left on device/u, 'disk-full'],
  [/cannot lock ref|Unable to create '.*\.lock'|shallow file has changed/u, 'busy'],
  [
    /Could not resolve host|Failed to connect|Couldn't connect|Connection (?:refused|reset|timed out)|unable to access|early EOF|RPC failed|hung up/iu,
    'unreachable',
  ],
];
