import { shownWord } from '#cli/breakdown-row';
import { type Finding, findingSentence } from '#cli/finding';
import { wordsFor } from '#protocol';
import packageJson from '../../package.json' with { type: 'json' };

/** Findings as SARIF 2.1.0, always in English: one rule for each state, one result for each finding, at the document it is about. */
export function toSarif(findings: readonly Finding[]): object {
  const rules = [...new Set(findings.map(({ row }) => row.state))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Stemma', version: packageJson.version, rules: rules.map(ruleOf) } },
        columnKind: 'unicodeCodePoints',
        originalUriBaseIds: { WORKSPACE: { description: { text: 'The workspace.' } } },
        results: findings.map((finding) => resultOf(finding, rules)),
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

function resultOf(finding: Finding, rules: readonly string[]): object {
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

function locationOf(path: string): object {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return { physicalLocation: { artifactLocation: { uri, uriBaseId: 'WORKSPACE' }, region: { startLine: 1 } } };
}
