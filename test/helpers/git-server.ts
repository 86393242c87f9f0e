import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A certificate for 127.0.0.1 and the file of the authority that signed it. */
interface Authority {
  readonly file: string;
  readonly key: string;
  readonly certificate: string;
}

/** A test authority, made with openssl in a folder that goes when the test ends. */
function createAuthority(folder: string): Authority {
  const at = (name: string) => join(folder, name);
  const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
  const request = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(...request, '-x509', '-days', '2', '-subj', '/CN=test authority', '-keyout', at('ca.key'), '-out', at('ca.pem'));
  openssl(...request, '-subj', '/CN=127.0.0.1', '-keyout', at('server.key'), '-out', at('server.csr'));
  writeFileSync(at('names'), 'subjectAltName=IP:127.0.0.1\n');
  const signing = ['x509', '-req', '-days', '2', '-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
  openssl(...signing, '-in', at('server.csr'), '-extfile', at('names'), '-out', at('server.pem'));
  return { file: at('ca.pem'), key: readFileSync(at('server.key'), 'utf8'), certificate: readFileSync(at('server.pem'), 'utf8') };
}

/** A git server on the loopback address, by https. */
export interface GitServer {
  readonly origin: string;
  /** The file that a client must trust. */
  readonly authority: string;
  /** The requests it had: method, address and what they said of who asks. */
  readonly requests: readonly { readonly url: string; readonly authorization: string | null }[];
  url(repository: string): string;
}

/** What a server does before git answers: true where it answers itself, or has it served later. */
export type Answering = (request: IncomingMessage, response: ServerResponse, serve: Serve) => boolean;

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves the repositories of a folder by git's own http backend behind TLS. With a token it asks for it; `answering` may
 * answer instead.
 */
export async function createGitServer(root: string, token: string | null, answering: Answering = () => false): Promise<GitServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'stemma-tls-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const authority = createAuthority(folder);
  const requests: { url: string; authorization: string | null }[] = [];
  const wanted = token === null ? null : `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
  const server = createServer({ key: authority.key, cert: authority.certificate }, (request, response) => {
    const { url = '', headers } = request;
    requests.push({ url, authorization: headers.authorization ?? null });
    if (answering(request, response, (...both) => backend(root, ...both))) return;
    if (wanted !== null && headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
      return;
    }
    backend(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, authority: authority.file, requests, url: (repository) => `${origin}/${repository}` };
}

/** Git's CGI: headers of its answer, an empty line, the answer. */
function backend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'https://127.0.0.1');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      ...(request.headers['content-encoding'] === undefined ? {} : { HTTP_CONTENT_ENCODING: request.headers['content-encoding'] }),
      ...(request.headers['git-protocol'] === undefined ? {} : { GIT_PROTOCOL: String(request.headers['git-protocol']) }),
      REMOTE_USER: 'test',
      REMOTE_ADDR: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  let head: Buffer | null = Buffer.alloc(0);
  child.stdout.on('data', (bytes: Buffer) => {
    if (head === null) return void response.write(bytes);
    head = Buffer.concat([head, bytes]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
      const [name = '', value = ''] = line.split(/: (.*)/u);
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.write(head.subarray(end + 4));
    head = null;
  });
  child.on('close', () => response.end());
  child.stdin.on('error', () => {});
}
