import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { dialCore } from '#core/handlers/dial';
import { createHost } from '#core/handlers/host';
import { openSocket } from '#core/handlers/socket';
import { type SocketToken, socketPlace } from '#core/handlers/socket-place';
import { createTrackingPlace, environment, type Place } from '../../helpers/workspace.ts';

const placeOf = ({ folder, home }: Place) => socketPlace(home, folder);

async function serving(place: Place) {
  const host = createHost(await place.open(), { follows: false });
  const socket = await openSocket(host, environment(place.home));
  onTestFinished(async () => void (await socket?.close()));
  return socket;
}

async function dialled(place: Place) {
  const link = await dialCore(place.folder, environment(place.home));
  onTestFinished(() => link?.close());
  return link;
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe.skipIf(process.platform === 'win32')('the socket of a core', () => {
  it('is found by who has the workspace and the app data, and gives it what agents ask', async () => {
    const place = createTrackingPlace();
    place.write('a.md', '# A\n');
    await serving(place);
    mkdirSync(join(place.folder, 'sub'));
    const link = await dialled(place);
    expect(await link!.call('agent/read', { path: 'a.md' })).toMatchObject({ answer: { text: '# A\n' } });
    const { folder, tokenFile, address } = placeOf(place);
    expect([modeOf(folder), modeOf(tokenFile), modeOf(address)]).toEqual([0o700, 0o600, 0o600]);
    expect(await dialCore(place.folder, environment(createTrackingPlace().home))).toBeNull();
  });

  it('does nothing that only a person may do', async () => {
    const place = createTrackingPlace();
    await serving(place);
    const link = await dialled(place);
    await expect(link!.call('workspace/set-provenance', { on: false })).rejects.toMatchObject({ code: 'call-invalid' });
    await expect(link!.call('document/create', { path: 'x.md', text: '' })).rejects.toMatchObject({ code: 'call-invalid' });
    expect(place.tree().size).toBe(0);
  });

  it('lets nobody in without its token, with another, or from a page', async () => {
    const place = createTrackingPlace();
    await serving(place);
    const { address, tokenFile } = placeOf(place);
    const { token } = JSON.parse(readFileSync(tokenFile, 'utf8')) as SocketToken;
    const knock = async (headers: Record<string, string>, path = '/socket') => {
      const socket = new WebSocket(`ws://localhost${path}`, { createConnection: () => connectSocket(address), headers });
      socket.on('error', () => {});
      onTestFinished(() => socket.terminate());
      const refused = once(socket, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode);
      return Promise.race([refused, once(socket, 'open').then(() => 'open')]);
    };
    const authorization = `Bearer ${token}`;
    expect(await knock({ authorization })).toBe('open');
    expect(await knock({})).toBe(403);
    expect(await knock({ authorization: `${authorization}x` })).toBe(403);
    expect(await knock({ authorization, origin: 'http://localhost' })).toBe(403);
    expect(await knock({ authorization }, '/')).toBe(403);
  });

  it('takes the place of one that a dead core has left, and leaves a living one alone', async () => {
    const place = createTrackingPlace();
    const { address, folder, tokenFile } = placeOf(place);
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    writeFileSync(address, '');
    writeFileSync(tokenFile, JSON.stringify({ token: 'old', pid: 1, wire: 1 }));
    expect(await dialled(place)).toBeNull();
    expect(await serving(place)).not.toBeNull();
    expect(modeOf(folder)).toBe(0o700);
    expect(await serving(place)).toBeNull();
    expect(await (await dialled(place))!.call('agent/list', { under: null })).toMatchObject({ total: 0 });
  });

  it('is gone when its core is closed, and fails the calls that wait', async () => {
    const place = createTrackingPlace();
    const socket = await serving(place);
    const link = await dialled(place);
    const closed = new Promise<void>((resolve) => link!.onClose(resolve));
    await socket!.close();
    await closed;
    await expect(link!.call('agent/list', { under: null })).rejects.toMatchObject({ code: 'core-restarted' });
    expect(existsSync(placeOf(place).folder)).toBe(false);
  });

  it('that another core has taken over is not removed', async () => {
    const place = createTrackingPlace();
    const socket = await serving(place);
    const { tokenFile, address } = placeOf(place);
    writeFileSync(tokenFile, JSON.stringify({ token: 'of another', pid: 1, wire: 1 }));
    await socket!.close();
    expect([existsSync(tokenFile), existsSync(address)]).toEqual([true, true]);
  });

  it('is no reason not to open a workspace where none can be made', async () => {
    const place = createTrackingPlace();
    writeFileSync(join(place.home, 'run'), 'in the way');
    expect(await serving(place)).toBeNull();
    const deep = { ...place, home: join(place.home, 'x'.repeat(120)) };
    const host = createHost(await place.open(), { follows: false });
    expect(await openSocket(host, environment(deep.home))).toBeNull();
  });

  it('that takes a connection and says nothing is not waited for without end', async () => {
    const place = createTrackingPlace();
    const { address, folder, tokenFile } = placeOf(place);
    mkdirSync(folder, { recursive: true });
    writeFileSync(tokenFile, JSON.stringify({ token: 'x', pid: 1, wire: 1 }));
    const mute = createServer(() => {});
    mute.listen(address);
    await once(mute, 'listening');
    onTestFinished(() => void mute.close());
    expect(await dialled(place)).toBeNull();
  });
});

describe('the place of a socket', () => {
  it('is a named pipe on Windows, another for each workspace and app data', () => {
    const pipes = [
      ['h', 'a'],
      ['h', 'b'],
      ['i', 'a'],
    ].map(([home, root]) => socketPlace(home!, root!, 'win32'));
    for (const { address, socketFile } of pipes) {
      expect(address.startsWith(String.raw`\\.\pipe\stemma-`)).toBe(true);
      expect(socketFile).toBeNull();
    }
    expect(new Set(pipes.map(({ address }) => address)).size).toBe(3);
  });
});
