import { describe, expect, it } from 'vitest';
import { type Fetching, fetchPicture } from '#core/remote-picture';

const png = (body = 'png', type = 'image/png') => new Response(body, { headers: { 'content-type': type } });
const moved = (location: string) => new Response(null, { status: 302, headers: { location } });

/** Answers addresses from a table, and keeps what was asked. */
function net(table: Readonly<Record<string, () => Response>>) {
  const asked: [url: string, options: RequestInit][] = [];
  const get: Fetching = async (url, options) => {
    asked.push([url, options]);
    return table[url]?.() ?? new Response('', { status: 404 });
  };
  return { asked, get };
}

describe('a picture of another computer', () => {
  it('is fetched without anything of this machine', async () => {
    const { get, asked } = net({ 'https://example.org/a.png': () => png() });
    expect(await fetchPicture('https://example.org/a.png', get)).toEqual({
      type: 'image/png',
      bytes: Buffer.from('png').toString('base64'),
    });
    expect(asked[0]![1]).toMatchObject({ credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'manual' });
  });

  it('is followed where it was moved to, not for ever, and never to this machine', async () => {
    const { get, asked } = net({
      'https://example.org/a': () => moved('/b'),
      'https://example.org/b': () => png(),
      'https://example.org/round': () => moved('/round'),
      'https://example.org/in': () => moved('http://127.0.0.1:631/'),
    });
    expect((await fetchPicture('https://example.org/a', get)).type).toBe('image/png');
    await expect(fetchPicture('https://example.org/round', get)).rejects.toMatchObject({ code: 'picture-unavailable' });
    await expect(fetchPicture('https://example.org/in', get)).rejects.toMatchObject({ code: 'picture-unavailable' });
    expect(asked.every(([url]) => !url.includes('127.0.0.1'))).toBe(true);
  });

  it.each([
    'http://localhost/a.png',
    'http://router/a.png',
    'http://printer.local/a.png',
    'http://127.1/a.png',
    'http://0x7f.0.0.1/a.png',
    'http://10.0.0.1/a.png',
    'http://172.20.0.1/a.png',
    'http://192.168.1.1/a.png',
    'http://169.254.169.254/latest',
    'http://100.64.0.1/',
    'http://[::1]/a.png',
    'http://[fd00::1]/a.png',
    'http://[::ffff:127.0.0.1]/a.png',
    'http://user:word@example.org/a.png',
    'file:///etc/hostname',
  ])('is not asked of %s', async (url) => {
    const { get, asked } = net({});
    await expect(fetchPicture(url, get)).rejects.toMatchObject({ code: 'picture-unavailable' });
    expect(asked).toEqual([]);
  });

  it('is refused where it is none, or far too large', async () => {
    const { get } = net({
      'https://example.org/page': () => png('<p>', 'text/html'),
      'https://example.org/huge': () => png('x'.repeat(21 * 1024 * 1024)),
    });
    for (const name of ['page', 'huge', 'gone'])
      await expect(fetchPicture(`https://example.org/${name}`, get), name).rejects.toMatchObject({ code: 'picture-unavailable' });
  });
});
