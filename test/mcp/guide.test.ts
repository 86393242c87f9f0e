import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toolInputs } from '#mcp/tool';
import { staleSchemas, toolFiles } from '../../scripts/schemas.ts';
import { type Said, serverCommand } from '../helpers/agent.ts';
import { stemmaIn } from '../helpers/cli.ts';
import { createPlace } from '../helpers/workspace.ts';

const guide = readFileSync(join(import.meta.dirname, '../../docs/guide/agents.md'), 'utf8');
const blocks = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text!) as Said);

describe('the guide for agents', () => {
  it('is enough to connect, read and write, and the row appears', async () => {
    const place = createPlace();
    place.write('bible/elena.md', '# Elena\n\nGreen eyes.\n');
    const [config, calls, question] = blocks;
    const { command, args } = config.mcpServers.stemma as { command: string; args: string[] };
    expect(command).toBe('node');
    const own = args.map((arg) => arg.replace('/path/to/stemma', resolve('.')).replace('/path/to/your/folder', place.folder));
    stemmaIn(place)('init');
    const client = new Client({ name: 'a-reader', version: '0' });
    await client.connect(new StdioClientTransport({ ...serverCommand(place), command: process.execPath, args: own }));
    onTestFinished(() => client.close());
    const answers: Said[] = [];
    for (const call of calls) answers.push(await client.callTool(call));
    expect(answers.map(({ isError }) => isError ?? false)).toEqual([false, false, false]);
    expect(answers[2].structuredContent.inputs).toMatchObject([{ path: 'bible/elena.md', role: 'direct' }]);
    place.write('bible/elena.md', place.text('bible/elena.md').replace('Green', 'Grey'));
    const { structuredContent } = (await client.callTool(question[0])) as Said;
    expect(structuredContent.artifacts).toMatchObject([{ path: 'chapters/one.md', rows: [{ source: { path: 'bible/elena.md' } }] }]);
  });

  it('is enough to do it by hand, line by line, and the row is printed', () => {
    const place = createPlace();
    place.write('bible/elena.md', '# Elena\n\nElena has green eyes.\n');
    const stemma = stemmaIn(place);
    stemma('init');
    const [, lines] = /```jsonl\n([\s\S]*?)```/.exec(guide)!;
    const { command, args, env } = serverCommand(place);
    const { stdout, status } = spawnSync(command, args, { env, input: lines!, encoding: 'utf8' });
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Said);
    expect([status, answers.map(({ id }) => id).sort()]).toEqual([0, [1, 2, 3, 4]]);
    const { inputs, recorded } = answers.find(({ id }) => id === 4)!.result.structuredContent;
    expect([inputs, recorded]).toMatchObject([[{ path: 'bible/elena.md', role: 'direct' }], { kind: 'recorded' }]);
    place.write('bible/elena.md', place.text('bible/elena.md').replace('green', 'grey'));
    expect(stemma('breakdown').stdout).toMatch(/chapters\/one\.md[\s\S]*bible\/elena\.md/u);
  });

  it('names every tool with every action and argument', () => {
    for (const [name, { options }] of Object.entries(toolInputs)) {
      for (const { shape } of options) {
        const row = guide.split('\n').find((line) => line.startsWith(`| \`${name}\``) && line.includes(`\`${shape.action.value}\``));
        expect(row, `${name} ${shape.action.value}`).toBeDefined();
        for (const argument of Object.keys(shape).filter((key) => key !== 'action')) expect(row).toContain(`\`${argument}`);
      }
    }
  });
});

it('the schemas of what tools answer are on disk as they are (node scripts/schemas.ts writes them)', () => {
  expect(toolFiles()).toHaveLength(Object.keys(toolInputs).length);
  expect(staleSchemas()).toEqual([]);
});
