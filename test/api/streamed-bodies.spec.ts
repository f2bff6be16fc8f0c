import { Module } from '@nestjs/common';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Endpoint, type OperatorRequest, type PublicRequest } from '#http/endpoint.js';
import type { HttpApp } from '#http/http-app.js';
import { operatorAuthentication } from '#http/operator-token.js';
import { anyJson, byteStream } from '#http/raw-body.js';
import { Type } from '#kernel/values/schema.js';
import { httpListener, loggerTo } from '#test/support/http-listener.js';

const TOKEN = 'a-token-of-an-operator';
const WINDOW_BYTES = 60;
const Counted = Type.Object({ bytes: Type.Integer() });
const Length = Type.Object({ length: Type.Integer() });
let taken = 0;

@Endpoint({
  caller: 'operator',
  route: 'POST /ops/stream',
  summary: 'Counts what comes',
  body: byteStream({ mediaType: 'application/x-ndjson', windowBytes: WINDOW_BYTES }),
  response: Counted,
})
class TakeStream {
  handle({ body }: OperatorRequest<{ body: AsyncIterable<Uint8Array> }>) {
    return counted(body);
  }
}

async function counted(body: AsyncIterable<Uint8Array>) {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    taken += 1;
  }
  return { bytes };
}

/** A form of a page: its visitors have no token. */
@Endpoint({
  caller: 'public',
  route: 'POST /form',
  summary: 'Takes a form',
  body: byteStream({ mediaType: 'application/x-ndjson', windowBytes: WINDOW_BYTES, withinMs: 100 }),
  response: Counted,
})
class TakeForm {
  handle({ body }: PublicRequest<{ body: AsyncIterable<Uint8Array> }>) {
    return counted(body);
  }
}

@Endpoint({
  caller: 'public',
  route: 'POST /large-form',
  summary: 'Takes a large form',
  body: byteStream({ mediaType: 'application/x-ndjson', windowBytes: 3 * 1024 * 1024 }),
  response: Counted,
})
class TakeLargeForm {
  handle({ body }: PublicRequest<{ body: AsyncIterable<Uint8Array> }>) {
    return counted(body);
  }
}

@Endpoint({
  caller: 'operator',
  route: 'POST /ops/json',
  summary: 'Takes JSON',
  body: anyJson,
  response: Length,
})
class TakeJson {
  handle({ body }: OperatorRequest<{ body: unknown }>) {
    return { length: JSON.stringify(body).length };
  }
}

@Module({ controllers: [TakeStream, TakeForm, TakeLargeForm, TakeJson] })
class StreamModule {}

describe('a listener that accepts streams', () => {
  let lines: string[] = [];
  const sockets: Socket[] = [];
  let app: HttpApp;
  let port: number;

  async function start(requestTimeoutMs?: number): Promise<HttpApp> {
    // log lines of a request of an earlier case are not part of this one
    lines = [];
    const started = await httpListener({
      rootModule: StreamModule,
      callers: { operator: operatorAuthentication(TOKEN, { find: async () => null }) },
      logger: loggerTo(lines),
      takesStreams: true,
      bodyBounds: { ofCaller: 100, inAll: 100 },
      ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
    });
    ({ port } = await started.listen(0, '127.0.0.1'));
    return started;
  }
  beforeEach(async () => {
    taken = 0;
    app = await start();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });

  async function send(
    path: string,
    type: string,
    lengthAndBody: string,
    localAddress = '127.0.0.1',
  ): Promise<Socket> {
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    const head = `POST ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: ${type}`;
    socket.write(`${head}\r\n${lengthAndBody}`);
    return socket;
  }
  const stream = (lengthAndBody: string) => send('/ops/stream', 'application/x-ndjson', lengthAndBody);
  async function answerTo(socket: Socket): Promise<string> {
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    while (!answer.includes('\r\n\r\n')) await once(socket, 'data');
    return answer;
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const logged = () => lines.map((line) => JSON.parse(line));

  it('OP-73 OPS-10 counts the buffered bytes of a stream, not its length', async () => {
    const long = await stream(`Content-Length: 1000\r\n\r\n${'x'.repeat(1000)}`);
    expect(await answerTo(long)).toMatch(/^HTTP\/1\.1 200 .*"bytes":1000/s);

    const open = await stream('Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n');
    while (taken < 2) await turn();
    // a second window does not fit beside the first, and a shorter body counts with its own length
    expect(await answerTo(await stream('Transfer-Encoding: chunked\r\n\r\n'))).toMatch(/^HTTP\/1\.1 503 /);
    expect(await answerTo(await stream(`Content-Length: 9\r\n\r\n123456789`))).toMatch(/^HTTP\/1\.1 200 /);
    const ended = answerTo(open);
    open.write('0\r\n\r\n');
    expect(await ended).toMatch(/^HTTP\/1\.1 200 .*"bytes":1/s);
  });

  it('OP-73 OPS-10 lets a stream take longer than the body of another request may', async () => {
    await app.close();
    app = await start(100);
    expect(app.nest.getHttpServer()).toMatchObject({ requestTimeout: 0, headersTimeout: 100 });
    const open = await stream('Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n');
    // the timer of this one was started later than that of the stream would have been
    while (taken < 1) await turn();
    const late = await answerTo(await send('/ops/json', 'application/json', 'Content-Length: 9\r\n\r\n{'));
    expect(late).toMatch(/^HTTP\/1\.1 408 /);
    expect(late.toLowerCase()).toContain('\r\nconnection: close\r\n');
    const ended = answerTo(open);
    open.write('1\r\n}\r\n0\r\n\r\n');
    expect(await ended).toMatch(/^HTTP\/1\.1 200 .*"bytes":2/s);
  });

  it('OP-73 counts the bodies of visitors by their address, beside those of operators', async () => {
    const unfinished = 'Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n';
    const visit = (path: string, address?: string) => send(path, 'application/x-ndjson', unfinished, address);
    const isTaken = async (pieces: number) => {
      for (let turns = 0; turns < 10_000 && taken < pieces; turns += 1) await turn();
      expect(taken).toBe(pieces);
    };
    await visit('/form');
    await isTaken(1);
    await visit('/large-form');
    await isTaken(2);
    expect(await answerTo(await visit('/large-form'))).toMatch(/^HTTP\/1\.1 503 /);
    await visit('/large-form', '127.0.0.2');
    await isTaken(3);
    expect(await answerTo(await stream(`Content-Length: 60\r\n\r\n${'x'.repeat(60)}`))).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });

  it('OP-73 ends a form of a visitor that is not complete in time, also if it does not pause', async () => {
    const form = await send('/form', 'application/x-ndjson', 'Transfer-Encoding: chunked\r\n\r\n');
    let drops = 0;
    const dripping = setInterval(() => form.write((drops += 1) < 100 ? '1\r\nx\r\n' : '0\r\n\r\n'), 10);
    const answer = await answerTo(form).finally(() => clearInterval(dripping));
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(logged().filter(({ level }) => level >= 50)).toEqual([]);
  });

  it('logs a client that hung up at info, without a stack', async () => {
    const open = await stream('Content-Length: 1000\r\n\r\n{');
    while (taken < 1) await turn();
    open.destroy();
    const half = await send('/ops/json', 'application/json', 'Content-Length: 9\r\n\r\n{');
    // it has been admitted when the next one finds its budget taken
    half.destroy();
    const requests = () => logged().filter(({ msg }) => msg === 'request');
    while (requests().length < 2) await turn();
    expect(logged().filter(({ msg }) => msg === 'the client hung up').length).toBeGreaterThan(0);
    for (const line of logged()) {
      expect(line.level).toBe(30);
      expect(line).not.toHaveProperty('err');
    }
  });

  it('OP-73 logs a refusal because of the budget as one line with its reason, without a stack', async () => {
    await stream('Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n');
    while (taken < 1) await turn();
    await answerTo(await stream('Transfer-Encoding: chunked\r\n\r\n'));
    while (logged().length === 0) await turn();
    expect(logged()).toEqual([
      expect.objectContaining({
        level: 40,
        msg: 'request',
        status: 503,
        problem: 'service-unavailable',
        reason: 'Too many request bodies are on their way: try again in a moment.',
      }),
    ]);
    expect(logged()[0]).not.toHaveProperty('err');
  });
});
