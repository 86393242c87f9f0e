import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../helpers/agent.ts';
import { program, run, stemmaIn } from '../helpers/cli.ts';
import { createTrackingPlace, entriesOf, environment, type Place } from '../helpers/workspace.ts';

/** A running core of the same installation: the browser shell, without its browser. */
async function startCore({ folder, home }: Place) {
  const child = spawn(process.execPath, [program, 'serve', folder, '--no-open'], {
    env: environment(home),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
}

const sockets = ({ home }: Place) => (existsSync(join(home, 'run')) ? readdirSync(join(home, 'run')) : []);
/** The process whose core other programs of this installation reach. */
const holderOf = ({ home }: Place): number => {
  const said = readdirSync(join(home, 'run')).find((name) => name.endsWith('.json'))!;
  return JSON.parse(readFileSync(join(home, 'run', said), 'utf8')).pid;
};

describe('stemma mcp', () => {
  it('works through the core that is running, and goes on by itself when that dies', async () => {
    const place = createTrackingPlace();
    place.write('a.md', '# A\n');
    const core = await startCore(place);
    const { ask, read } = await startAgent(place);
    await read('a.md');
    expect(holderOf(place)).toBe(core.pid);
    core.kill('SIGKILL');
    await once(core, 'exit');
    const { inputs } = await ask('document_write', { action: 'create', path: 'b.md', text: '# B\n' });
    expect(inputs).toMatchObject([{ path: 'a.md', role: 'direct' }]);
    expect(holderOf(place)).not.toBe(core.pid);
    expect(sockets(place)).toHaveLength(2);
    expect(await ask('coherence', { action: 'status' })).toMatchObject({ tracked: 2 });
  });

  it('leaves its place to the app that was opened after it, and both go on', async () => {
    const place = createTrackingPlace();
    place.write('a.md', '# A\n');
    const first = await startAgent(place);
    const core = await startCore(place);
    const other = await startAgent(place);
    await other.read('a.md');
    expect(holderOf(place)).not.toBe(core.pid);
    await first.client.close();
    await expect.poll(() => sockets(place).length > 0 && holderOf(place), { timeout: 20_000 }).toBe(core.pid);
    const { inputs } = await other.ask('document_write', { action: 'create', path: 'b.md', text: '# B\n' });
    expect(inputs).toMatchObject([{ path: 'a.md', role: 'direct' }]);
    expect(holderOf(place)).toBe(core.pid);
  });

  it('answers every call while its core is killed in the middle of them, and records no write twice', async () => {
    const place = createTrackingPlace();
    place.write('a.md', '# A\n');
    const core = await startCore(place);
    const { ask, read } = await startAgent(place);
    await read('a.md');
    const names = Array.from({ length: 20 }, (_, index) => `n${index}.md`);
    const first = ask('document_write', { action: 'create', path: 'first.md', text: 'x' });
    const writes = names.map((path) => ask('document_write', { action: 'create', path, text: path }));
    await first;
    core.kill('SIGKILL');
    for (const answer of await Promise.all(writes)) expect(answer.recorded.kind).toBe('recorded');
    const written = entriesOf(place, 'transformation').filter(({ body }) => body.intent.kind === 'mcp-document-write');
    expect(written).toHaveLength(21);
  });

  it('gives several agents of one workspace one core, and each its own reads', async () => {
    const place = createTrackingPlace();
    for (const path of ['a.md', 'b.md']) place.write(path, `# ${path}\n`);
    const [one, other] = [await startAgent(place), await startAgent(place)];
    await one.read('a.md');
    await other.read('b.md');
    const answers = await Promise.all([
      one.ask('document_write', { action: 'create', path: 'c.md', text: 'c' }),
      other.ask('document_write', { action: 'create', path: 'd.md', text: 'd' }),
    ]);
    expect(answers.map(({ inputs }) => inputs.map(({ path }: { path: string }) => path))).toEqual([['a.md'], ['b.md']]);
    await one.client.close();
    expect((await other.read('c.md')).text).toBe('c');
  });

  it('knows an agent by STEMMA_AGENT_TOKEN, which `stemma agents` makes', async () => {
    const place = createTrackingPlace();
    const stemma = stemmaIn(place);
    const { token } = stemma.json('agent-added', 'agents', 'add', 'Scribe');
    expect(stemma('agents', 'add', 'scribe')).toMatchObject({ code: 3, stdout: '' });
    const { ask } = await startAgent(place, { STEMMA_AGENT_TOKEN: token });
    expect((await ask('document_write', { action: 'create', path: 'a.md', text: 'a' })).agent).toEqual({ type: 'model', id: 'Scribe' });
    expect(stemma('agents', 'list').stdout).toMatch(/^Scribe: since .+\.\n$/u);
    expect(stemma.json('agents', 'agents', 'remove', 'Scribe').agents).toMatchObject([{ name: 'Scribe', removed: expect.any(String) }]);
    expect(stemma('agents', 'list').stdout).toMatch(/^Scribe: from .+ to .+\.\n$/u);
  });

  it('says what it cannot serve on stderr, and nothing on stdout', () => {
    const { home } = createTrackingPlace();
    const { code, stdout, stderr } = run(['mcp', 'no-such-folder'], { cwd: home, home });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain('no-such-folder');
  });

  it.each([['agents', 'erase', 'x'], ['agents', 'add'], ['agents'], ['agents', 'list', 'x']])(
    'a command line such as %j %j is wrong',
    (...args) => {
      const { home } = createTrackingPlace();
      expect(run(args.filter(Boolean), { cwd: home, home }).code).toBe(2);
    },
  );
});
