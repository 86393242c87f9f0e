import type { CheckedAnchor } from '#cli/anchor-sentence';
import { shownWord } from '#cli/breakdown-row';
import { type AnchorFinding, type Finding, findingSentence, type PairFinding, type RowFinding } from '#cli/finding';
import { behindSide } from '#kernel/body-pair';
import { wordsFor } from '#protocol';
import packageJson from '../../package.json' with { type: 'json' };

/** Where the heading of a code anchor stands in its document: the line, from 1. */
export type HeadingLine = (anchor: CheckedAnchor) => number;

/** Findings as SARIF 2.1.0, always in English: one rule for each state, one result for each finding, at the document it is about. */
export function toSarif(findings: readonly Finding[], headingLine: HeadingLine): object {
  const rules = [...new Set(findings.map(stateOf))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Stemma', version: packageJson.version, rules: rules.map(ruleOf) } },
        columnKind: 'unicodeCodePoints',
        originalUriBaseIds: { WORKSPACE: { description: { text: 'The workspace.' } } },
        results: findings.map((finding) => resultOf(finding, rules, headingLine)),
      },
    ],
  };
}

function ruleOf(state: string): object {
  const words = wordsFor('en');
  const sentence = words(`explanations.${state}`, { reason: '', by: '', at: '' });
  // The explanation of a waiver is about one row; its rule has only a name.
  const text = state === 'waived' ? words('states.waived') : sentence;
  return { id: state, shortDescription: { text }, defaultConfiguration: { level: 'error' } };
}

const stateOf = (finding: Finding) =>
  'anchor' in finding ? finding.anchor.state : 'pair' in finding ? finding.pair.state : finding.row.state;

function resultOf(finding: Finding, rules: readonly string[], headingLine: HeadingLine): object {
  if ('pair' in finding) return pairResult(finding, rules);
  return 'anchor' in finding ? anchorResult(finding, rules, headingLine(finding.anchor)) : rowResult(finding, rules);
}

/** Both documents are named, the one that stayed behind first. */
function pairResult(finding: PairFinding, rules: readonly string[]): object {
  const { pair, state, technical, human, ahead } = finding.pair;
  const documents = behindSide(finding.pair) === 'human' ? [human, technical] : [technical, human];
  return {
    ruleId: state,
    ruleIndex: rules.indexOf(state),
    level: 'error',
    message: { text: findingSentence(finding, wordsFor('en')) },
    locations: documents.flatMap(({ path }) => (path === null ? [] : [locationOf(path)])).slice(0, 1),
    partialFingerprints: { 'stemma/v1': pair },
    properties: { shown: state, technical, human, ahead },
  };
}

/** The heading in the document comes first, for it is what has to be looked at; the code is where the reader goes from there. */
function anchorResult(finding: AnchorFinding, rules: readonly string[], line: number): object {
  const { id, document, state, detail, repository, kind, qualified_name } = finding.anchor;
  const code = repository === null ? [{ ...locationOf(detail.file, detail.line_start, detail.line_end), id: 1 }] : [];
  return {
    ruleId: state,
    ruleIndex: rules.indexOf(state),
    level: 'error',
    message: { text: findingSentence(finding, wordsFor('en')) },
    locations: document.path === null ? [] : [locationOf(document.path, line)],
    relatedLocations: code,
    partialFingerprints: { 'stemma/v1': id },
    properties: { shown: state, section: document.section, repository, kind, qualified_name, detail },
  };
}

function rowResult(finding: RowFinding, rules: readonly string[]): object {
  const { artifact, row } = finding;
  return {
    ruleId: row.state,
    ruleIndex: rules.indexOf(row.state),
    level: 'error',
    message: { text: findingSentence(finding, wordsFor('en')) },
    locations: artifact.path === null ? [] : [locationOf(artifact.path)],
    partialFingerprints: { 'stemma/v1': row.edge === null ? artifact.object : `${row.edge.txf}#${row.edge.input}` },
    properties: { shown: shownWord(row), source: row.source, pinned: row.pinned, current: row.current },
  };
}

function locationOf(path: string, startLine = 1, endLine?: number): object {
  const region = endLine === undefined ? { startLine } : { startLine, endLine };
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: 'WORKSPACE' }, region } };
}
