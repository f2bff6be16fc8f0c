import { request, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { operatorOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

type RawAnswer = { readonly headers: IncomingHttpHeaders; readonly body: Buffer };

describe('compressed pages of the console', () => {
  const service = scene({ settings: { CLOCK: 'manual' } });
  sharedWorkspace(service, { name: 'Acme', credits: 100 }, () => service.drain());
  const visitor = operatorOf(service);

  /** The undecoded bytes of an answer: `fetch` would decode them. */
  const raw = (path: string, accepted?: string): Promise<RawAnswer> =>
    new Promise((done, failed) => {
      const headers = {
        cookie: visitor.cookie(),
        ...(accepted !== undefined && { 'accept-encoding': accepted }),
      };
      const asked = request(`${service.service.opsUrl}${path}`, { headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on('data', (piece: Buffer) => pieces.push(piece));
        answer.on('end', () => done({ headers: answer.headers, body: Buffer.concat(pieces) }));
      });
      asked.on('error', failed).end();
    });
  /** A page without the form tokens, which differ in each. */
  const withoutTokens = (page: string): string =>
    page.replaceAll(/(name="form_token" value=")[^"]*/g, '$1').replaceAll(/(name="key" value=")[^"]*/g, '$1');

  it('CON-08 are the same page in the encoding that the browser prefers, and plain when it names none', async () => {
    const plain = await raw('/console/operators');
    expect([plain.headers['content-encoding'], plain.headers['vary']]).toEqual([
      undefined,
      'Accept, Accept-Encoding',
    ]);
    for (const [accepted, coding, decode] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await raw('/console/operators', accepted);
      expect([headers['content-encoding'], headers['content-length'], headers['vary']]).toEqual([
        coding,
        String(body.length),
        'Accept, Accept-Encoding',
      ]);
      expect(withoutTokens(decode(body).toString())).toBe(withoutTokens(plain.body.toString()));
      expect(body.length).toBeLessThan(plain.body.length / 2);
    }
    expect((await raw('/console/operators', 'identity')).headers['content-encoding']).toBeUndefined();
    expect((await raw('/console/operators', 'br;q=0')).headers['content-encoding']).toBeUndefined();
  });

  it('CON-08 the progress of long work and files are not compressed: they are sent while they are made', async () => {
    const done = await visitor.send('/console/workspaces/1/verify', {});
    const progress = done.location ?? '';
    expect(progress).toMatch(/^\/console\/progress\/\d+$/);
    const stream = await raw(`${progress}/events`, 'gzip, br');
    expect([stream.headers['content-type'], stream.headers['content-encoding']]).toEqual([
      'text/event-stream',
      undefined,
    ]);
    expect(stream.body.toString()).toContain('"ended":true');
    const file = await raw('/console/workspaces/1/export?format=csv', 'gzip, br');
    expect(file.headers['content-encoding']).toBeUndefined();
  });

  it('CON-02 each form has a different text for the same form token, so that page sizes reveal nothing about it', async () => {
    const tokens = async (): Promise<readonly string[]> =>
      [...(await visitor.get('/console')).text.matchAll(/name="form_token" value="([^"]+)"/g)].map(
        ([, token = '']) => token,
      );
    const [first = ''] = await tokens();
    const [second = ''] = await tokens();
    expect(first).not.toBe(second);
    const [mask = '', hash = ''] = first.split('.');
    const [otherMask = '', otherHash = ''] = second.split('.');
    expect([mask === otherMask, hash === otherHash]).toEqual([false, false]);
    const action = '/console/actions/workspace.block';
    const fields = { workspace_id: '1', reason: 'test' };
    for (const [form_token, status] of [
      [`${otherMask}.${hash}`, 403],
      [`.${hash}`, 403],
      [hash, 403],
      ['', 403],
      [first, 303],
    ] as const) {
      expect([form_token, (await visitor.send(action, { ...fields, form_token })).status]).toEqual([
        form_token,
        status,
      ]);
    }
  });
});
