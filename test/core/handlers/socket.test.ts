import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { dialCore } from '#core/handlers/dial';
import { createHost } from '#core/handlers/host';
import { openSocket } from '#core/handlers/socket';
import { type SocketToken, socketPlace } from '#core/handlers/socket-place';
import { createTrackingPlace, environment, type Place } from '../../helpers/workspace.ts';

const placeOf = ({ folder, home }: Place) => socketPlace(home, folder);
const saidAt = (place: Place) => JSON.parse(readFileSync(placeOf(place).tokenFile, 'utf8')) as SocketToken;

/** Leaves in a place what a core would that listens at a name of its own; the name. */
function leave(place: Place, other: Partial<SocketToken> = {}): string {
  const { folder, tokenFile, addressFor } = placeOf(place);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const address = addressFor('0123abcd');
  writeFileSync(tokenFile, JSON.stringify({ token: 'of another', pid: 1, address, wire: 1, ...other }));
  return address;
}

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

describe('the socket of a core', () => {
  beforeEach((context) => context.skip(process.platform === 'win32', 'this system has named pipes instead'));

  it('is found by who has the workspace and the app data, and gives it what agents ask', async () => {
    const place = createTrackingPlace();
    place.write('a.md', '# A\n');
    await serving(place);
    mkdirSync(join(place.folder, 'sub'));
    const link = await dialled(place);
    expect(await link!.call('agent/read', { path: 'a.md' })).toMatchObject({ answer: { text: '# A\n' } });
    const { folder, tokenFile } = placeOf(place);
    const { address } = saidAt(place);
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
    const { address, token } = saidAt(place);
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

  it('takes the place of one that a dead core has left, and its name goes', async () => {
    const place = createTrackingPlace();
    const { folder } = placeOf(place);
    const address = leave(place);
    const dead = spawnSync(process.execPath, [
      '-e',
      `require('node:net').createServer().listen(${JSON.stringify(address)}, () => process.kill(process.pid, 9))`,
    ]);
    expect([dead.signal, existsSync(address)]).toEqual(['SIGKILL', true]);
    expect(await dialled(place)).toBeNull();
    expect((await serving(place))!.isServing()).toBe(true);
    expect([modeOf(folder), existsSync(address)]).toEqual([0o700, false]);
    expect(await (await dialled(place))!.call('agent/list', { under: null })).toMatchObject({ total: 0 });
  });

  it('leaves a living one alone, and has its place as soon as that is gone', async () => {
    const place = createTrackingPlace();
    const [first, second, third] = [await serving(place), await serving(place), await serving(place)];
    expect([first, second, third].map((socket) => socket!.isServing())).toEqual([true, false, false]);
    await first!.close();
    await expect.poll(() => [second, third].filter((socket) => socket!.isServing()).length, { timeout: 20_000 }).toBe(1);
    expect(await (await dialled(place))!.call('agent/list', { under: null })).toMatchObject({ total: 0 });
    await Promise.all([second!.close(), third!.close()]);
    expect(existsSync(placeOf(place).folder)).toBe(false);
  });

  it('is left by one of two cores that took it at once', async () => {
    const place = createTrackingPlace();
    const both = await Promise.all([serving(place), serving(place)]);
    await expect.poll(() => both.filter((socket) => socket!.isServing()).length, { timeout: 20_000 }).toBe(1);
    expect(await (await dialled(place))!.call('agent/list', { under: null })).toMatchObject({ total: 0 });
  });

  it('of another version is not spoken to, and keeps its place', async () => {
    const place = createTrackingPlace();
    await serving(place);
    const said = saidAt(place);
    writeFileSync(placeOf(place).tokenFile, JSON.stringify({ ...said, wire: 99 }));
    expect(await dialled(place)).toBeNull();
    expect((await serving(place))!.isServing()).toBe(false);
  });

  it('is looked for in its own place only', async () => {
    const place = createTrackingPlace();
    const elsewhere = join(place.folder, 'x-0123abcd.sock');
    const other = createServer((socket) => socket.destroy());
    other.listen(elsewhere);
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const heard = once(other, 'connection').then(() => 'heard');
    leave(place, { address: elsewhere });
    expect(await Promise.race([dialled(place), heard])).toBeNull();
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
    const { address } = saidAt(place);
    leave(place);
    await socket!.close();
    expect([existsSync(placeOf(place).tokenFile), existsSync(address)]).toEqual([true, false]);
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
    const address = leave(place);
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
    const addresses = pipes.map(({ addressFor }) => addressFor('0123abcd'));
    for (const address of addresses) expect(address.startsWith(String.raw`\\.\pipe\stemma-`)).toBe(true);
    expect(new Set(addresses).size).toBe(3);
    expect(pipes[0]!.addressFor('00000000')).toBe(addresses[0]);
  });
});
