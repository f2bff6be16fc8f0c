import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { readCidrs } from '#outbound/addresses.js';
import type { OutboundFailure } from '#outbound/outbound-failure.js';
import {
  createOutbound,
  type Outbound,
  type OutboundRequest,
  type OutboundResponse,
} from '#outbound/outbound.js';
import { serverCertificate, startWebServer, type WebServer } from '../support/web-server.js';

const allowing = (cidrs: string, hosts: Record<string, readonly string[]> = {}): Outbound =>
  createOutbound({
    allowed: readCidrs(cidrs) ?? [],
    resolve: async (hostname) =>
      (hosts[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    certificateAuthorities: serverCertificate,
  });
const LOOPBACK = '127.0.0.0/8';

async function textOf({ body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe('SRC-09 an outgoing request', () => {
  let server: WebServer;
  beforeEach(async () => {
    server = await startWebServer((_, response) => void response.end('hello'));
  });
  afterEach(() => server.close());

  const get = (path = '/', request: Partial<OutboundRequest> = {}, outbound = allowing(LOOPBACK)) =>
    outbound.request({ method: 'GET', url: `${server.origin}${path}`, ...request });
  /** Only the head of the answer. */
  const headOf = async (...given: Parameters<typeof get>): Promise<OutboundResponse> => {
    const response = await get(...given);
    response.discard();
    return response;
  };
  /** The reason why there was no complete answer. */
  const faultOf = (answer: Promise<OutboundResponse>): Promise<string> =>
    answer.then(textOf).then(
      (text) => `answered ${text}`,
      (error: OutboundFailure) => error.fault ?? error.message,
    );

  it('carries method, headers and body, and its answer status, headers and body', async () => {
    server.answer = (_, response) => {
      response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] }).end('done');
    };
    const response = await get('/hook?x=1', { method: 'POST', headers: { 'x-mine': 'a' }, body: '{"a":1}' });
    expect(response).toMatchObject({
      status: 201,
      headers: { 'x-answer': 'yes', 'set-cookie': 'a=1, b=2' },
      usedException: true,
    });
    expect(await textOf(response)).toBe('done');
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        url: '/hook?x=1',
        headers: { 'x-mine': 'a', 'accept-encoding': 'gzip, br' },
        body: '{"a":1}',
      },
    ]);
  });

  it('connects to no special-purpose address, given directly or by name', async () => {
    const names = {
      'inside.example.test': ['127.0.0.1', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'],
      'nowhere.example.test': [],
    };
    const outbound = allowing('', names);
    const hosts = ['127.0.0.1', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', ...Object.keys(names)];
    for (const host of hosts)
      for (const scheme of ['http', 'https']) {
        const url = `${scheme}://${host}:${server.port}/`;
        expect([url, await faultOf(get('', { url }, outbound))]).toEqual([url, 'refused-address']);
      }
    expect(server.requests).toEqual([]);
  });

  it('connects to the allowed address of a name', async () => {
    const outbound = allowing(LOOPBACK, { 'board.example.test': ['10.0.0.1', '127.0.0.1'] });
    const url = `http://board.example.test:${server.port}/`;
    expect(await textOf(await get('', { url }, outbound))).toBe('hello');
    expect(server.requests[0]?.headers.host).toBe(`board.example.test:${server.port}`);
  });

  it('looks a name up once, so that a changing answer has no effect', async () => {
    let asked = 0;
    const outbound = createOutbound({
      allowed: readCidrs('127.0.0.1/32') ?? [],
      resolve: async () => [{ address: (asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }],
    });
    const url = `http://board.example.test:${server.port}/`;
    expect(await textOf(await get('', { url }, outbound))).toBe('hello');
    expect(asked).toBe(1);
  });

  it('checks the address that it reached, before anything is sent', async () => {
    // This address is allowed, but the loopback, which is not, answers there.
    const url = `http://0.0.0.0:${server.port}/`;
    expect(await faultOf(get('', { url }, allowing('0.0.0.0/32')))).toBe('refused-address');
    expect(server.requests).toEqual([]);
  });

  it('goes without encryption only to an exception', async () => {
    const outbound = allowing(LOOPBACK, { 'public.example.test': ['1.1.1.1'] });
    expect(await faultOf(get('', { url: 'http://public.example.test/' }, outbound))).toBe('refused-address');
    expect(await faultOf(get('', { url: 'http://1.1.1.1/' }, outbound))).toBe('refused-address');
  });

  it('refuses an invalid address, and one with a password', async () => {
    for (const url of [
      '',
      'nonsense',
      'ftp://127.0.0.1/',
      'file:///etc/passwd',
      'http://me:secret@127.0.0.1/',
    ])
      expect([url, await faultOf(get('', { url }))]).toEqual([url, 'bad-url']);
  });

  it('may go anywhere if the operator set the address for the service itself', async () => {
    const response = await get('/', { isOperatorSet: true }, allowing(''));
    expect([response.usedException, await textOf(response)]).toEqual([true, 'hello']);
  });

  it('uses no proxy of the environment', async () => {
    const before = process.env['http_proxy'];
    process.env['http_proxy'] = 'http://127.0.0.1:1/';
    try {
      expect(await textOf(await get())).toBe('hello');
    } finally {
      if (before === undefined) delete process.env['http_proxy'];
      else process.env['http_proxy'] = before;
    }
  });

  describe('over TLS', () => {
    let secure: WebServer;
    beforeEach(async () => {
      secure = await startWebServer((_, response) => void response.end('secret'), { isSecure: true });
    });
    afterEach(() => secure.close());

    it('reaches a host with a valid certificate of its name, and no other', async () => {
      const hosts = { 'board.example.test': ['127.0.0.1'], 'other.example.test': ['127.0.0.1'] };
      const ask = (host: string, outbound: Outbound) =>
        faultOf(get('', { url: `https://${host}:${secure.port}/` }, outbound));
      expect(await ask('board.example.test', allowing(LOOPBACK, hosts))).toBe('answered secret');
      expect(await ask('other.example.test', allowing(LOOPBACK, hosts))).toBe('unreachable');
      const distrustful = createOutbound({ allowed: readCidrs(LOOPBACK) ?? [] });
      expect(await ask('127.0.0.1', distrustful)).toBe('unreachable');
    });

    it('checks the address that it reached before anything is sent', async () => {
      const url = `https://0.0.0.0:${secure.port}/`;
      expect(await faultOf(get('', { url }, allowing('0.0.0.0/32')))).toBe('refused-address');
      expect(secure.requests).toEqual([]);
    });
  });

  describe('with redirects', () => {
    const leading =
      (status: number, location: string): WebServer['answer'] =>
      (_, response) =>
        void response.writeHead(status, { location }).end();
    /** `/1` redirects to `/2` and so on, to a path that answers hello. */
    const chain = (...statuses: readonly number[]): WebServer['answer'] => {
      return (request, response) => {
        const hop = Number(request.url?.slice(1));
        const status = statuses[hop - 1];
        if (status === undefined) response.end('hello');
        else leading(status, `/${hop + 1}`)(request, response);
      };
    };

    it('returns the 3xx if it may follow none, and always if it has a body', async () => {
      server.answer = chain(302);
      expect(await headOf('/1')).toMatchObject({ status: 302, headers: { location: '/2' } });
      expect(await headOf('/1', { method: 'POST', redirects: 5 })).toMatchObject({ status: 302 });
      expect(server.requests).toHaveLength(2);
    });

    it('follows as many as it may', async () => {
      server.answer = chain(301, 302, 303, 307, 308);
      const response = await get('/1', { redirects: 5 });
      expect([server.requests.at(-1)?.url, await textOf(response)]).toEqual(['/6', 'hello']);
      expect(await faultOf(get('/1', { redirects: 4 }))).toBe('too-many-redirects');
    });

    it('connects to no special-purpose address on the way', async () => {
      const inside = await startWebServer(undefined, { host: '127.0.0.2' });
      for (const location of [`${inside.origin}/`, `http://localhost:${inside.port}/`, 'http://[::1]/']) {
        server.answer = leading(302, location);
        const outbound = allowing('127.0.0.1/32', { localhost: ['127.0.0.2'] });
        expect([location, await faultOf(get('/', { redirects: 5 }, outbound))]).toEqual([
          location,
          'refused-address',
        ]);
      }
      server.answer = leading(302, 'file:///etc/passwd');
      expect(await faultOf(get('/', { redirects: 5 }))).toBe('bad-url');
      expect(inside.requests).toEqual([]);
      await inside.close();
    });

    it('sends its secrets only to their own origin', async () => {
      const elsewhere = await startWebServer();
      server.answer = (request, response) =>
        request.url === '/1'
          ? leading(302, '/2')(request, response)
          : leading(302, `${elsewhere.origin}/`)(request, response);
      const headers = { Authorization: 'Bearer secret', cookie: 'a=1', accept: 'text/xml' };
      await textOf(await get('/1', { headers, redirects: 5 }));
      expect(server.requests[1]?.headers).toMatchObject({
        authorization: 'Bearer secret',
        accept: 'text/xml',
      });
      const [given] = elsewhere.requests;
      expect(given?.headers).toMatchObject({ accept: 'text/xml' });
      expect([given?.headers.authorization, given?.headers.cookie]).toEqual([undefined, undefined]);
      await elsewhere.close();
    });

    it('goes to no other host if the operator set the address for the service itself', async () => {
      const elsewhere = await startWebServer();
      server.answer = leading(307, elsewhere.origin);
      const request = { isOperatorSet: true, redirects: 5 };
      expect(await faultOf(get('/', request, allowing('')))).toBe('refused-redirect');
      server.answer = chain(307);
      expect(await faultOf(get('/1', request, allowing('')))).toBe('answered hello');
      expect(elsewhere.requests).toEqual([]);
      await elsewhere.close();
    });
  });

  describe('and the body of its answer', () => {
    const packed =
      (encoding: string, body: Uint8Array): WebServer['answer'] =>
      (_, response) =>
        void response.writeHead(200, { 'content-encoding': encoding }).end(body);

    it('is unpacked', async () => {
      const packings = {
        gzip: gzipSync,
        br: brotliCompressSync,
        deflate: deflateSync,
        identity: Buffer.from,
      };
      for (const [encoding, pack] of Object.entries(packings)) {
        server.answer = packed(encoding, pack(Buffer.from('a'.repeat(100_000))));
        expect([encoding, (await textOf(await get())).length]).toEqual([encoding, 100_000]);
      }
    });

    it('has no more bytes than allowed, sent or unpacked', async () => {
      const body = Buffer.from('a'.repeat(1_000));
      for (const [encoding, bytes] of [
        ['identity', body],
        ['gzip', gzipSync(body)],
        ['br', brotliCompressSync(body)],
      ] as const) {
        server.answer = packed(encoding, bytes);
        expect(await faultOf(get('/', { maxBodyBytes: 1_000 }))).toBe(`answered ${body}`);
        expect([encoding, await faultOf(get('/', { maxBodyBytes: 999 }))]).toEqual([encoding, 'too-large']);
      }
      // gzip with nothing in it, however long: a head, and then empty blocks
      const empty = Buffer.concat([
        gzipSync('').subarray(0, 10),
        Buffer.alloc(1_000, '\0\0\0\xff\xff', 'latin1'),
      ]);
      const end = gzipSync('').subarray(10);
      server.answer = (_, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' }).write(empty);
        response.end(end);
      };
      expect(await faultOf(get('/', { maxBodyBytes: 2_000 }))).toBe('answered ');
      expect(await faultOf(get('/', { maxBodyBytes: 999 }))).toBe('too-large');
      // 64 MiB from 64 KiB, with the default limit
      server.answer = packed('gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024)));
      let read = 0;
      const reading = (async () => {
        for await (const chunk of (await get()).body) read += chunk.byteLength;
      })();
      await expect(reading).rejects.toMatchObject({ fault: 'too-large' });
      expect(read).toBeLessThanOrEqual(32 * 1024 * 1024);
    });

    it('is refused when it cannot be unpacked, and when its encoding was not requested', async () => {
      server.answer = packed('gzip', Buffer.from('no gzip'));
      expect(await faultOf(get())).toBe('bad-encoding');
      server.answer = packed('br', Buffer.from([0xff, 0xff, 0xff, 0xff]));
      expect(await faultOf(get())).toBe('bad-encoding');
      server.answer = packed('zstd', Buffer.from('?'));
      expect(await faultOf(get())).toBe('bad-encoding');
    });

    it('is incomplete when the connection breaks', async () => {
      server.answer = (_, response) => {
        response.writeHead(200, { 'content-length': 100 }).write('half');
        response.socket?.end();
      };
      expect(await faultOf(get())).toBe('cut-off');
      const zipped = gzipSync(Buffer.from('a whole body'));
      server.answer = packed('gzip', zipped.subarray(0, zipped.length - 4));
      expect(await faultOf(get())).toBe('cut-off');
      server.answer = (_, response) => {
        response
          .writeHead(200, { 'content-encoding': 'gzip' })
          .write(zipped.subarray(0, 12), () => response.destroy());
      };
      expect(await faultOf(get())).toBe('cut-off');
    });

    it('may be absent, whatever the headers say', async () => {
      for (const status of [204, 304]) {
        server.answer = (_, response) =>
          void response.writeHead(status, { 'content-encoding': 'gzip' }).end();
        expect([status, await faultOf(get())]).toEqual([status, 'answered ']);
      }
    });

    it('may be left unread', async () => {
      const closed = new Promise<void>((resolve) => {
        server.answer = (_, response) => {
          response.on('close', resolve);
          response.write('an endless');
        };
      });
      await headOf();
      await closed;
    });
  });

  it('takes no longer than allowed, before the answer, within it and along redirects', async () => {
    server.answer = () => undefined;
    expect(await faultOf(get('/', { timeoutMs: 30 }))).toBe('timeout');
    server.answer = (_, response) => void response.writeHead(200).write('half');
    expect(await faultOf(get('/', { timeoutMs: 30 }))).toBe('timeout');
    server.answer = (_, response) => void response.writeHead(302, { location: '/' }).end();
    expect(await faultOf(get('/', { timeoutMs: 30, redirects: Infinity }))).toBe('timeout');
  });

  it('is unreachable without a listener or when the connection breaks', async () => {
    server.answer = (request) => void request.socket.destroy();
    expect(await faultOf(get())).toBe('unreachable');
    const { origin, close } = await startWebServer();
    await close();
    expect(await faultOf(get('', { url: origin }))).toBe('unreachable');
  });

  it('ends with its abort signal', async () => {
    for (const answer of [
      () => undefined,
      (_: unknown, response: { write: (text: string) => unknown }) => void response.write('half'),
    ]) {
      server.answer = answer;
      const stopping = new AbortController();
      const fault = faultOf(get('/', { signal: stopping.signal }));
      const asked = server.requests.length;
      while (server.requests.length === asked) await new Promise(setImmediate);
      stopping.abort(new Error('stopped'));
      expect(await fault).toBe('stopped');
    }
    expect(await faultOf(get('/', { signal: AbortSignal.abort(new Error('never')) }))).toBe('never');
  });
});
