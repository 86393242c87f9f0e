import type { Verdict } from '#kernel/anchor';
import type { Declaration } from '#kernel/declaration';

/** What became of a declaration, by the oracle; `unclear`: several of its name. */
export type Truth =
  | { readonly kind: 'same' | 'changed' | 'gone' | 'unclear' }
  | { readonly kind: 'moved' | 'moved-edited' | 'renamed'; readonly file: string; readonly name: string };

/** Counts answers against truths. */
export interface Tally {
  coverage(known: number, missing: number): void;
  commit(): void;
  commits(): number;
  time(ms: number): void;
  anchor(about: string, truth: Truth, verdict: Verdict, path: string, nameOf: (declaration: Declaration) => string): void;
  /** Markdown. */
  report(): string;
}

/** An empty tally; `isLoud`: every error is printed as it is found. */
export function createTally(isLoud: boolean): Tally {
  const counts = new Map<string, number>();
  const times: number[] = [];
  const errors: string[] = [];
  const add = (name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);
  const get = (name: string) => counts.get(name) ?? 0;

  function error(what: string, about: string, truth: Truth, verdict: Verdict): void {
    add(what);
    const target = 'target' in verdict ? ` → ${verdict.target.file} ${verdict.target.declaration.qualifiedName}` : '';
    const expected = 'file' in truth ? ` (${truth.file} ${truth.name})` : '';
    const line = `${what}: ${about} | truth ${truth.kind}${expected}, answer ${verdict.state} ${verdict.reason}${target}`;
    errors.push(line);
    if (isLoud) console.error(line);
  }

  return {
    commit: () => add('commits'),
    commits: () => get('commits'),
    time: (ms) => void times.push(ms),
    coverage(known, missing) {
      add('known', known);
      add('missing', missing);
    },
    anchor(about, truth, verdict, path, nameOf) {
      add('anchors');
      add(`truth ${truth.kind}`);
      if (verdict.state === 'unchecked') return add('unchecked');
      const isFresh = verdict.state === 'fresh';
      const isMoved = verdict.state === 'moved-renamed';
      if (!isFresh) add('alarms');
      const isSilentMove = isMoved && !verdict.bodyChanged && !verdict.signatureChanged;
      const target = isMoved ? `${verdict.target.file} ${nameOf(verdict.target.declaration)}` : '';
      switch (truth.kind) {
        case 'unclear':
          return;
        case 'same':
          if (!isFresh) error(isMoved ? 'wrong target' : 'false positive', about, truth, verdict);
          return;
        case 'changed':
          if (isFresh || isSilentMove) error('false negative', about, truth, verdict);
          else if (isMoved && verdict.target.file !== path) error('wrong target', about, truth, verdict);
          return;
        case 'gone':
          if (isFresh) error('false negative', about, truth, verdict);
          else if (isMoved) error('target for gone', about, truth, verdict);
          return;
        default:
          if (isFresh || (truth.kind === 'moved-edited' && isSilentMove)) error('false negative', about, truth, verdict);
          else if (!isMoved) error('missed recovery', about, truth, verdict);
          else if (target !== `${truth.file} ${truth.name}`) error('wrong target', about, truth, verdict);
          else add('recovered');
      }
    },
    report() {
      const share = (part: number, of: number) => (of === 0 ? '–' : `${part} of ${of} (${((100 * part) / of).toFixed(2)} %)`);
      const sorted = times.sort((a, b) => a - b);
      const at = (part: number) => `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)} ms`;
      const moves = get('truth moved') + get('truth moved-edited') + get('truth renamed');
      const changed = get('truth changed') + get('truth moved-edited') + get('truth gone');
      const truths = [...counts].filter(([name]) => name.startsWith('truth ')).map(([name, count]) => `${name.slice(6)} ${count}`);
      const rows: [string, string][] = [
        ['commits', String(get('commits'))],
        ['anchors', `${get('anchors')}: ${truths.sort().join(', ')}`],
        ['false positives, of the same', share(get('false positive'), get('truth same'))],
        ['false negatives, of the changed', share(get('false negative'), changed)],
        ['wrong targets', String(get('wrong target'))],
        ['recovered, of moved and renamed', share(get('recovered'), moves)],
        ['missed', share(get('missed recovery'), moves)],
        ['targets given where the oracle sees none', share(get('target for gone'), get('truth gone'))],
        ['unchecked', String(get('unchecked'))],
        ['coverage', share(get('known') - get('missing'), get('known'))],
        ['time for a commit, median and 95 %', `${at(0.5)}, ${at(0.95)}`],
      ];
      return [
        `| what | result |\n| --- | --- |`,
        ...rows.map(([what, result]) => `| ${what} | ${result} |`),
        '',
        ...errors.map((line) => `- ${line}`),
      ].join('\n');
    },
  };
}
