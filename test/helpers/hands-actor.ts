import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { WebSocket } from 'ws';
import { connect, type Link, socketPath } from '#protocol/link';
import { portFromWebSocket } from '#protocol/port';
import { program } from './cli.ts';

/**
 * How an edit ended: `recorded` and acknowledged, with the id of its entry where that was said; `refused` or in conflict, so that nothing was
 * written; `open` where nobody said, because it was killed or told nobody.
 */
export interface Ended {
  readonly how: 'recorded' | 'refused' | 'open';
  readonly entry?: string | null;
}

/** Whoever writes in a workspace; `kill` ends what is being done in its middle, and the next act begins anew. */
export interface Hand {
  readonly name: string;
  /** Writes a text into a document; `from` is another document that it was made from. */
  write(path: string, text: string, from: string): Promise<Ended>;
  /** Looks at the workspace without writing a text. */
  look(): Promise<void>;
  kill(): void;
  close(): Promise<void>;
}

/** Where the hands are at work. */
export interface Desk {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

const blockOf = (text: string) => /^---\n.*?\n---\n/su.exec(text)?.[0] ?? '';

function onDisk({ folder }: Desk, path: string): string {
  const file = join(folder, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function putWhole({ folder }: Desk, path: string, text: string): void {
  const beside = join(folder, `.${randomUUID()}.part`);
  writeFileSync(beside, text);
  renameSync(beside, join(folder, path));
}

/** The browser shell, and a page that asks it over the same socket as a browser does. A save whose answer was lost is asked for again. */
export function appHand(desk: Desk): Hand {
  let server: ChildProcess | null = null;
  let link: Link | null = null;
  const start = async (): Promise<Link> => {
    server = spawn(process.execPath, [program, 'serve', desk.folder, '--port', '0', '--no-open'], {
      env: desk.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const own = server;
    own.once('exit', () => {
      if (server === own) link = null;
    });
    const { url } = JSON.parse(await firstLine(own)) as { url: string };
    const { origin, host } = new URL(url);
    const { headers } = await fetch(url, { redirect: 'manual' });
    const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
    const socket = new WebSocket(`ws://${host}${socketPath}`, { headers: { cookie, origin } });
    await once(socket, 'open');
    return connect(portFromWebSocket(socket));
  };
  const ask = async <T>(work: (link: Link) => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        link ??= await start();
        return await work(link);
      } catch (error) {
        link = null;
        if (tries === 20 || isFault(error)) throw error;
        server?.kill('SIGKILL');
      }
    }
  };
  return {
    name: 'app',
    async write(path, text) {
      const idem = randomUUID();
      // The page keeps what it was opened with, and sends the same save again over the next link.
      const opened = existsSync(join(desk.folder, path)) ? await ask(({ call }) => call('document/open', { path })) : null;
      const { base, whole } =
        opened?.kind === 'text' ? { base: opened.base, whole: blockOf(opened.text) + text } : { base: null, whole: text };
      let asked = 0;
      const saved = await ask(({ call }) => {
        asked++;
        return call('document/save', { path, text: whole, base, idem });
      });
      // A save that is recorded, whose answer a kill took and whose file somebody else has written over since, is in conflict as well.
      if (saved.kind === 'conflict') return { how: asked === 1 ? 'refused' : 'open' };
      return { how: saved.recorded.kind === 'recorded' ? 'recorded' : 'open' };
    },
    async look() {
      await ask(({ call }) => call('breakdown/refresh', {}));
    },
    kill: () => void server?.kill('SIGKILL'),
    async close() {
      const ended = server === null || server.exitCode !== null || server.signalCode !== null ? null : once(server, 'exit');
      server?.kill('SIGTERM');
      await ended;
    },
  };
}

const isFault = (error: unknown) => {
  const { code } = error as { code?: string };
  return code !== undefined && !['core-restarted', 'core-unreachable', 'ECONNREFUSED', 'ECONNRESET'].includes(code);
};

async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout!) {
    text += String(chunk);
    if (text.includes('\n')) return text.split('\n', 1)[0]!;
  }
  throw new Error('The server ended before it was ready.');
}

/** A script: it writes a file and records it through the command line, with what it was made from. */
export function scriptHand(desk: Desk, name = 'script'): Hand {
  let child: ChildProcess | null = null;
  const run = async (...args: string[]): Promise<{ code: number | null; said: string }> => {
    child = spawn(process.execPath, [program, ...args, '--json'], { cwd: desk.folder, env: desk.env, stdio: ['ignore', 'pipe', 'ignore'] });
    let said = '';
    child.stdout!.on('data', (bytes: Buffer) => {
      said += bytes.toString();
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  };
  return {
    name,
    async write(path, text, from) {
      putWhole(desk, path, blockOf(onDisk(desk, path)) + text);
      const { code, said } = await run('record', path, '--from', from);
      return code === 0 ? { how: 'recorded', entry: (JSON.parse(said) as { entry: string }).entry } : { how: 'open' };
    },
    look: async () => void (await run('scan')),
    kill: () => void child?.kill('SIGKILL'),
    close: async () => {},
  };
}

/** An agent with the official client on the stdio server. */
export function agentHand(desk: Desk): Hand {
  let client: Client | null = null;
  let transport: StdioClientTransport | null = null;
  const connected = async (): Promise<Client> => {
    if (client !== null) return client;
    const next = new Client({ name: 'a-hand', version: '0.0.0' });
    transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', desk.folder],
      env: desk.env as Record<string, string>,
      stderr: 'ignore',
    });
    next.onclose = () => {
      client = null;
    };
    await next.connect(transport);
    client = next;
    return next;
  };
  const ask = async (name: string, args: Record<string, unknown>) => {
    const { structuredContent, isError } = await (await connected()).callTool({ name, arguments: args }, undefined, { timeout: 60_000 });
    return isError === true ? null : (structuredContent as { hash: string; recorded: { kind: string; entry: string | null } });
  };
  return {
    name: 'agent',
    async write(path, text, from) {
      try {
        await ask('document', { action: 'read', path: from });
        const read = existsSync(join(desk.folder, path)) ? await ask('document', { action: 'read', path }) : null;
        const change = read === null ? { action: 'create' } : { action: 'replace', base: read.hash };
        const written = await ask('document_write', { ...change, path, text });
        if (written === null) return { how: 'refused' };
        return written.recorded.kind === 'recorded' ? { how: 'recorded', entry: written.recorded.entry } : { how: 'open' };
      } catch (error) {
        if (String(error).includes('timed out')) throw error;
        return { how: 'open' };
      }
    },
    async look() {
      await ask('coherence', { action: 'edges' }).catch(() => null);
    },
    kill() {
      if (transport?.pid != null) process.kill(transport.pid, 'SIGKILL');
    },
    close: async () => void (await client?.close()),
  };
}

/** Another editor: it writes a file and tells nobody. What it wrote is seen, or was written over before anybody looked. */
export function editorHand(desk: Desk): Hand {
  return {
    name: 'editor',
    async write(path, text) {
      putWhole(desk, path, blockOf(onDisk(desk, path)) + text);
      return { how: 'open' };
    },
    look: async () => {},
    kill: () => {},
    close: async () => {},
  };
}

/** A person at git, who commits now and then. */
export function commit({ folder, env }: Desk): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'pipe' });
  // What another editor has put beside a document for a moment is not ours to answer for.
  git('add', '--all', '--', ':!*.part');
  git('commit', '--quiet', '--allow-empty', '--message', 'a step');
}
