import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import {
  Body,
  Controller,
  Get,
  Header,
  HttpCode,
  Module,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CanActivate,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { apiKeyAuthentication } from '#http/authentication.js';
import type { Authentication } from '#http/callers.js';
import type { HttpApp } from '#http/http-app.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { createRequestMetrics } from '#http/metrics.js';
import { hashApiKey, type ApiKeyDirectory, type ApiKeyOwner } from '#kernel/values/api-key.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { httpListener, loggerTo } from '#test/support/http-listener.js';
import { FixtureModule } from './http-fixture.js';

const KEY = `wsk_test_${'a'.repeat(43)}`;
const TWIN = `wsk_test_${'b'.repeat(43)}`;
const FOREIGN = `wsk_test_${'c'.repeat(43)}`;
const DOCS = 'https://docs.example.test';

const owners = new Map<string, ApiKeyOwner>([
  [hashApiKey(KEY), { workspaceId: 1, keyId: 11 }],
  [hashApiKey(TWIN), { workspaceId: 1, keyId: 12 }],
  [hashApiKey(FOREIGN), { workspaceId: 2, keyId: 13 }],
]);
const lines: string[] = [];
const registry = new Registry();
let directoryDown = false;
let lookUps = 0;
let ready = true;
let app: HttpApp;
let url: string;
let port: number;

type Start = {
  readonly corsOrigins?: readonly string[];
  readonly apiKey?: Authentication;
  readonly verify?: boolean;
  readonly metrics?: Registry;
  readonly rootModule?: Type;
  readonly requestTimeoutMs?: number;
};

const keys: ApiKeyDirectory = {
  find: async (keyHash) => {
    lookUps += 1;
    if (directoryDown) throw new StoreUnavailable('connect ECONNREFUSED');
    return owners.get(keyHash) ?? null;
  },
};

/** The lines of the log so far. */
const logged = () => lines.map((line) => JSON.parse(line));

async function start({
  corsOrigins = [],
  apiKey = apiKeyAuthentication(keys, 0),
  verify = true,
  metrics = new Registry(),
  rootModule = FixtureModule,
  requestTimeoutMs,
}: Start = {}): Promise<HttpApp> {
  return httpListener({
    rootModule,
    callers: { apiKey },
    readiness: {
      report: async () => ({
        ready,
        degraded: ['detections'],
        reasons: ready ? [] : ['the event store is down'],
      }),
    },
    logger: loggerTo(lines),
    metrics: createRequestMetrics(metrics),
    docsUrl: DOCS,
    published: { version: '1.2.3' },
    corsOrigins,
    sunsetDate: new Date('2027-01-01T00:00:00.000Z'),
    verifyResponses: verify,
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  });
}

beforeAll(async () => {
  app = await start({ metrics: registry });
  ({ url, port } = await app.listen(0, '127.0.0.1'));
});
afterAll(() => app.close());

type Answered = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // as a client sees it: any JSON
  readonly body: any;
};

type Asking = {
  readonly key?: string | null;
  readonly json?: unknown;
  readonly text?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
  readonly base?: string;
};

async function ask(method: string, path: string, asking: Asking = {}): Promise<Answered> {
  const { key = KEY, json, text, headers = {}, base = url } = asking;
  const sent = json === undefined ? text : JSON.stringify(json);
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: sent ?? null,
  });
  const answer = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').includes('json') && answer !== '';
  return {
    status: response.status,
    headers: response.headers,
    text: answer,
    body: isJson ? JSON.parse(answer) : null,
  };
}

/** Sends bytes unchanged and reads until the server closes (the requests ask for it). */
function raw(bytes: string, at = port): Promise<{ status: number; head: string; body: any }> {
  return new Promise((resolve, reject) => {
    const socket = connect(at, '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (data) => (received += String(data)));
    socket.on('error', reject).on('close', () => {
      const [head = '', body = ''] = received.split('\r\n\r\n');
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]),
        head,
        body: body === '' ? null : JSON.parse(body),
      });
    });
    socket.write(bytes);
  });
}

function expectProblem(answer: Answered, status: number, path: string): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(answer.body).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: path,
  });
  const isV3 = path.startsWith('/api/v3');
  if (isV3) expect(answer.body.type).toBe('about:blank');
  else expect(answer.body.type).toMatch(/^https:\/\/docs\.example\.test\/errors\/[a-z-]+$/);
  expect(answer.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(answer.headers.get('x-response-time')).toMatch(/^\d+\.\dms$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
}

/** Asks, and expects a problem at the path as sent, without its query. */
async function refused(status: number, method: string, path: string, asking?: Asking): Promise<Answered> {
  const answer = await ask(method, path, asking);
  expectProblem(answer, status, path.replace(/\?.*/, ''));
  return answer;
}

describe('authentication', () => {
  it('AUTH-01 AUTH-02 refuses a request without a key, in both dialects', async () => {
    const v2 = await refused(401, 'GET', '/api/v2/agents', { key: null });
    expect(v2.body.type).toBe(`${DOCS}/errors/unauthorized`);
    expect(v2.headers.get('www-authenticate')).toBe('Bearer');
    const v3 = await refused(401, 'GET', '/api/v3/setups', { key: null });
    expect(v3.body.title).toBe('Unauthorized');
  });

  it('AUTH-03 AUTH-04 AUTH-09 refuses unknown keys and every other scheme with the same body', async () => {
    const without = await ask('GET', '/api/v2/agents', { key: null });
    const others = [
      `Bearer wsk_test_${'z'.repeat(43)}`,
      `Bearer ${KEY}x`,
      'Bearer ',
      'Bearer',
      KEY,
      `Basic ${KEY}`,
    ];
    for (const authorization of [...others, `Bearer ${KEY} ${KEY}`, `Token ${KEY}`]) {
      const answer = await refused(401, 'GET', '/api/v2/agents', { key: null, headers: { authorization } });
      expect(answer.body).toEqual(without.body);
    }
    expect(
      (await ask('GET', '/api/v2/agents', { key: null, headers: { cookie: `key=${KEY}` } })).status,
    ).toBe(401);
    expect((await ask('GET', `/api/v2/agents?api_key=${KEY}`, { key: null })).status).toBe(401);
  });

  it('OP-02 takes the scheme word in any case', async () => {
    const headers = { authorization: `bEARER ${KEY}` };
    expect((await ask('GET', '/api/v2/agents', { key: null, headers })).status).toBe(200);
  });

  it('AUTH-05 is checked before path, query and body, and after the route', async () => {
    for (const [method, path] of [
      ['GET', '/api/v2/leads/abc'],
      ['DELETE', '/api/v2/lists/other/0'],
      ['GET', '/api/v2/agents?page=x'],
    ] as const) {
      await refused(401, method, path, { key: null });
    }
    await refused(401, 'POST', '/api/v2/things', { key: null, text: '{"broken' });
    await refused(404, 'GET', '/api/v2/nothing', { key: null });
    await refused(405, 'PATCH', '/api/v2/things', { key: null });
  });

  it('OP-01 is checked before invalid percent-encoding of the path', async () => {
    for (const path of ['/api/v2/leads/%ZZ', '/api/v3/setups/%ff?x=1', '/%E0%A4%A', '/api/v2/things/%']) {
      for (const key of [null, TWIN.replace('b', 'x')]) {
        const answer = await refused(401, 'GET', path, { key });
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
      await refused(400, 'GET', path);
    }
  });

  it('AUTH-05 answers before the body has arrived', async () => {
    const answer = await raw(
      'POST /api/v2/big HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 12000000\r\nConnection: close\r\n\r\n{"na',
    );
    expect(answer.status).toBe(401);
  });

  it('AUTH-06 AUTH-07 takes the workspace only from the key', async () => {
    const workspaces: unknown[] = [];
    for (const key of [KEY, TWIN, FOREIGN]) {
      const answer = await ask('POST', '/api/v2/things?workspace_id=9', {
        key,
        json: { name: 'x', workspace_id: 9 },
        headers: { 'x-workspace-id': '9' },
      });
      workspaces.push(answer.body.workspace_id);
    }
    expect(workspaces).toEqual([1, 1, 2]);
  });

  it('AUTH-08 a revoked key is refused at once without a cache', async () => {
    const temporary = `wsk_test_${'d'.repeat(43)}`;
    owners.set(hashApiKey(temporary), { workspaceId: 1, keyId: 14 });
    expect((await ask('GET', '/api/v2/agents', { key: temporary })).status).toBe(200);
    owners.delete(hashApiKey(temporary));
    expect((await ask('GET', '/api/v2/agents', { key: temporary })).status).toBe(401);
  });

  it('OP-02 a cached key needs one look-up, until it is forgotten', async () => {
    const apiKey = apiKeyAuthentication(keys, 60_000);
    const cached = await start({ apiKey });
    const { url: base } = await cached.listen(0, '127.0.0.1');
    lookUps = 0;
    for (let count = 0; count < 3; count += 1) await ask('GET', '/api/v2/agents', { base });
    expect(lookUps).toBe(1);
    apiKey.forget(11);
    await ask('GET', '/api/v2/agents', { base });
    expect(lookUps).toBe(2);
    await cached.close();
  });

  it('answers 503 with Retry-After when keys cannot be looked up', async () => {
    directoryDown = true;
    const answer = await ask('GET', '/api/v2/agents');
    directoryDown = false;
    expectProblem(answer, 503, '/api/v2/agents');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect((await ask('GET', '/api/v2/agents')).status).toBe(200);
  });
});

@Controller()
class BareController {
  @Get('/api/v2/bare')
  handle() {
    return {};
  }
}

@Endpoint({ caller: 'operator', route: 'GET /api/v2/for-operators', summary: 'For nobody here' })
class ForOperators {
  handle() {
    return {};
  }
}

describe('an endpoint', () => {
  it('that declares no caller does not start', async () => {
    @Module({ controllers: [BareController] })
    class Bare {}
    await expect(start({ rootModule: Bare })).rejects.toThrow(
      'GET /api/v2/bare does not declare who may call it',
    );
  });

  it('whose callers the listener does not admit does not start', async () => {
    @Module({ controllers: [ForOperators] })
    class Misplaced {}
    await expect(start({ rootModule: Misplaced })).rejects.toThrow(
      'GET /api/v2/for-operators is for operator, whom this listener does not let in',
    );
  });
});

const nobodyPasses: CanActivate = { canActivate: () => false };

/** Starts an endpoint to which `decorate` has added a decorator. */
async function startWith(
  decorate: (target: new () => { handle: () => object }) => void,
  providers: Provider[] = [],
): Promise<void> {
  class Decorated {
    handle() {
      return {};
    }
  }
  Endpoint({ caller: 'public', route: 'GET /decorated', summary: 'Decorated' })(Decorated);
  decorate(Decorated);
  class Decorating {}
  Module({ controllers: [Decorated], providers })(Decorating);
  await (await start({ rootModule: Decorating })).close();
}

/** Decorates the method like its decorator does above it. */
const onMethod = (decorator: MethodDecorator) => (target: new () => object) => {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, 'handle');
  if (descriptor !== undefined) decorator(target.prototype, 'handle', descriptor);
};

describe('a decorator of Nest that has no effect', () => {
  it.each<[string, (target: new () => { handle: () => object }) => void, string]>([
    ['a guard of the class', UseGuards(nobodyPasses), '@UseGuards'],
    ['a guard of the method', onMethod(UseGuards(nobodyPasses)), '@UseGuards'],
    ['an interceptor', UseInterceptors({ intercept: (_context, next) => next.handle() }), '@UseInterceptors'],
    ['a pipe', UsePipes({ transform: (value: unknown) => value }), '@UsePipes'],
    ['a filter', UseFilters({ catch: () => undefined }), '@UseFilters'],
    ['a status', onMethod(HttpCode(204)), '@HttpCode'],
    ['a header', onMethod(Header('x', 'y')), '@Header'],
    ['a parameter', (target) => Body()(target.prototype, 'handle', 0), '@Body, @Param'],
    ['a path', Controller('elsewhere'), '@Controller with a path'],
    ['a mark of its own', SetMetadata('roles', ['admin']), 'a decorator that notes roles'],
  ])('%s prevents the service from starting, and the message names it', async (_what, decorate, named) => {
    await expect(startWith(decorate)).rejects.toThrow(`Decorated: ${named}`);
  });

  it('is refused on a message too', async () => {
    @UseGuards(nobodyPasses)
    @Endpoint({ caller: 'public', route: 'GET /asked', summary: 'Asked' })
    class Asked extends EndpointQuery<unknown, object, 'public'> {}
    @Module({ controllers: [Asked] })
    class Asking {}
    await expect(start({ rootModule: Asking })).rejects.toThrow('Asked: @UseGuards');
  });

  it.each([
    ['guard', APP_GUARD, nobodyPasses],
    ['interceptor', APP_INTERCEPTOR, { intercept: () => null }],
    ['pipe', APP_PIPE, { transform: () => null }],
  ])('a global %s prevents the start as well', async (kind, provide, useValue) => {
    const providers = [{ provide, useValue }];
    await expect(startWith(() => undefined, providers)).rejects.toThrow(`a global ${kind} has no effect`);
  });

  it('middleware of a module as well', async () => {
    @Module({})
    class WithMiddleware {
      configure() {}
    }
    await expect(start({ rootModule: WithMiddleware })).rejects.toThrow('WithMiddleware: middleware');
  });

  it('without any of them it starts', async () => {
    await expect(startWith(() => undefined)).resolves.toBeUndefined();
  });
});

describe('a problem document', () => {
  it('ERR-01 ERR-02 ERR-03 has all members, with the path as sent and without the query', async () => {
    const path = '/api/v2/agents/';
    expectProblem(await ask('GET', `${path}?page=0&secret=1`), 422, path);
    await refused(422, 'GET', '/api/v2/%61gents?page=0');
  });

  it('OP-03 converts the kind of a refusal into status, slug and title', async () => {
    const table = [
      ['unacceptable', 400, 'bad-request', 'Bad Request', 'Invalid query parameters'],
      ['unpayable', 402, 'insufficient-credits', 'Insufficient credits', 'Insufficient credits'],
      ['forbidden', 403, 'top-account-quota-exceeded', 'Top account quota exceeded', 'Forbidden'],
      ['missing', 404, 'not-found', 'Not Found', 'Not Found'],
      ['conflicting', 409, 'conflict', 'Conflict', 'List not available'],
      ['unprocessable', 422, 'persona-incomplete', 'Persona incomplete', 'Persona incomplete'],
      ['store', 503, 'service-unavailable', 'Service Unavailable', 'Service Unavailable'],
      ['bug', 500, 'internal-server-error', 'Internal Server Error', 'Internal Server Error'],
    ] as const;
    for (const [what, status, slug, v2Title, v3Title] of table) {
      const v2 = await refused(status, 'GET', `/api/v2/fail/${what}`);
      expect(v2.body).toMatchObject({ type: `${DOCS}/errors/${slug}`, title: v2Title });
      const v3 = await refused(status, 'GET', `/api/v3/fail/${what}`);
      expect(v3.body).toMatchObject({ title: v3Title });
    }
  });

  it('OP-67 carries extension members, which cannot replace the standard ones', async () => {
    const { body } = await ask('GET', '/api/v2/fail/unpayable');
    expect(body).toMatchObject({
      status: 402,
      credits_required: 10,
      credits_available: 2.5,
      credits_held: 0,
    });
  });

  it('C-4 may carry row errors and data', async () => {
    const { body } = await ask('GET', '/api/v2/fail/rows');
    expect(body).toMatchObject({ status: 422, data: [], errors: [{ input: {}, code: 'x', message: 'y' }] });
  });

  it('ERR-07 maps names to lists of messages', async () => {
    const { body } = await ask('GET', '/api/v3/fail/conflicting');
    expect(body.errors).toEqual({ list_id: ['is attached to another persona'] });
  });

  it('ERR-13 reveals no internals; the request id leads to the log', async () => {
    lines.length = 0;
    const answer = await ask('GET', '/api/v2/fail/bug', { headers: { 'x-request-id': 'find.me-1' } });
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('secret-internal-name');
    const ofBug = logged().filter(({ requestId }) => requestId === 'find.me-1');
    expect(ofBug.some(({ err }) => String(err?.message).includes('secret-internal-name'))).toBe(true);
    lines.length = 0;
    expect((await ask('GET', '/api/v2/fail/store')).text).not.toContain('10.0.0.7');
    // one line with the reason and without the stack
    expect(logged()).toEqual([
      expect.objectContaining({ msg: 'request', status: 503, reason: expect.stringContaining('10.0.0.7') }),
    ]);
    expect(lines.join('')).not.toContain('"err"');
  });

  it('an answer that does not satisfy its declaration is a 500 under test', async () => {
    await refused(500, 'GET', '/api/v2/fail/wrong-answer');
  });

  it('ERR-09 ERR-10 CONV-09 ids: syntax errors are 400 or 404 as declared, above 2^53 always 404', async () => {
    for (const id of ['abc', '0', '-1', '1.5', '01', '%00', '%20', '1'.repeat(17), '9'.repeat(5000)]) {
      const v2 = await refused(400, 'GET', `/api/v2/leads/${id}`);
      expect(v2.body.errors).toEqual({ id: ['must be an integer of at least 1'] });
      const v3 = await ask('GET', `/api/v3/setups/${id}`);
      expect(v3.body).toMatchObject({ status: 400, title: 'Invalid path parameters' });
      await refused(404, 'DELETE', `/api/v2/lists/company/${id}`);
    }
    await refused(404, 'GET', '/api/v2/leads/9999999999999999');
    expect((await ask('GET', '/api/v2/leads/9007199254740991')).body).toEqual({
      data: { id: 9007199254740991 },
    });
    await refused(404, 'DELETE', '/api/v2/lists/people/1');
    expect((await ask('DELETE', '/api/v2/lists/company/1')).status).toBe(204);
  });

  it('ERR-15 an unknown route is 404 in the dialect of its path, with the body unread', async () => {
    for (const path of ['/api/v3/nope', '/api/v2/nope', '/nope', '/api/v2/agents/1/2/3', '/api/v2//agents']) {
      await refused(404, 'POST', path, { text: '{"broken' });
    }
  });

  it('OP-01 a wrong method is 405 with Allow', async () => {
    const things = await refused(405, 'PUT', '/api/v3/things', { text: '{"broken' });
    expect(things.headers.get('allow')).toBe('POST');
    expect(things.body.title).toBe('Method Not Allowed');
    const lead = await refused(405, 'DELETE', '/api/v2/leads/7/');
    expect(lead.headers.get('allow')).toBe('GET, HEAD');
    expect(lead.body).toMatchObject({
      type: `${DOCS}/errors/method-not-allowed`,
      title: 'Method Not Allowed',
    });
    await refused(405, 'OPTIONS', '/api/v2/agents');
  });
});

describe('a request body', () => {
  it('ERR-14 OP-07 that is not JSON is 400 everywhere', async () => {
    const broken = [
      '{',
      '{"name":}',
      'name',
      '{"name":"x"} x',
      "{'name':1}",
      '[1,',
      '\u0000',
      '{"name":"\n"}',
      'NaN',
    ];
    for (const text of broken) {
      for (const path of ['/api/v3/things', '/api/v2/runs']) {
        const answer = await refused(400, 'POST', path, { text });
        if (path.includes('v3')) expect(answer.body.title).toBe('Invalid request body');
      }
    }
    const notUtf8 = new Uint8Array(Buffer.from('{"name":"\xff\xfe"}', 'latin1'));
    await refused(400, 'POST', '/api/v2/things', { text: notUtf8 });
    await refused(400, 'DELETE', '/api/v2/lists/company/1', { text: '{' });
  });

  it('ERR-14 that is compressed is 400 with that reason, for any bytes; identity is no encoding', async () => {
    for (const [encoding, text] of [
      ['gzip', new Uint8Array(gzipSync('{"name":"x"}'))],
      ['BR', '{"name":"x"}'],
      ['identity, gzip', '{"name":"x"}'],
    ] as const) {
      const headers = { 'content-encoding': encoding };
      const answer = await refused(400, 'POST', '/api/v2/things', { text, headers });
      expect(answer.body.detail).toBe('The request body must be sent without a content encoding.');
    }
    for (const encoding of ['identity', 'Identity', '']) {
      const headers = { 'content-encoding': encoding };
      const { status } = await ask('POST', '/api/v2/things', { text: '{"name":"x"}', headers });
      expect(status).toBe(201);
    }
  });

  it('OP-71 of another content type is 400, never 415', async () => {
    const text = '{"name":"x"}';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'nonsense',
      '/',
      'a/b/c;',
    ]) {
      await refused(400, 'POST', '/api/v2/things', { text, headers: { 'content-type': type } });
    }
    const bytes = new Uint8Array(Buffer.from(text));
    const untyped = await fetch(`${url}/api/v2/things`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: bytes,
    });
    expect(untyped.status).toBe(400);
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.x+json']) {
      const answer = await ask('POST', '/api/v2/things', { text, headers: { 'content-type': type } });
      expect(answer.status).toBe(201);
    }
  });

  it("OP-07 that is no object has the endpoint's validation status", async () => {
    for (const text of ['null', '[]', '[{"name":"x"}]', '1', '"x"', 'true']) {
      await refused(422, 'POST', '/api/v2/things', { text });
      await refused(400, 'POST', '/api/v2/runs', { text });
    }
  });

  it('OP-07 that is missing or empty is {}', async () => {
    const json = { 'content-type': 'application/json' };
    for (const asking of [{}, { text: '' }, { text: '  ' }, { headers: json }]) {
      const answer = await refused(422, 'POST', '/api/v2/things', asking);
      expect(answer.body.errors).toEqual({ name: ['is required'] });
    }
    expect((await ask('DELETE', '/api/v2/lists/company/1', { headers: json })).status).toBe(204);
    expect((await ask('DELETE', '/api/v2/lists/company/1', { text: '', headers: json })).status).toBe(204);
  });

  it('OP-03 reports every fault by path, in both classes', async () => {
    const json = { name: 7, size: 0, parts: [{ id: 1 }, { id: 'x' }, 3] };
    const errors = {
      name: ['must be a string'],
      size: ['must be at least 1'],
      'parts.1.id': ['must be an integer'],
      'parts.2': ['must be an object'],
    };
    const v2 = await refused(422, 'POST', '/api/v2/things', { json });
    expect(v2.body).toMatchObject({ detail: 'The request body is not valid.', errors });
    const run = await refused(400, 'POST', '/api/v2/runs', { json });
    expect(run.body.errors).toEqual(errors);
  });

  it('OP-07 loses its undeclared keys, keeps free objects as sent, and cannot reach a prototype', async () => {
    const text =
      '{"name":"a","name":"b","other":1,"__proto__":{"size":5},"constructor":1,"parameters":{"__proto__":{"x":1},"y":[]}}';
    const answer = await ask('POST', '/api/v2/things', { text });
    expect(answer.text).toBe(
      '{"workspace_id":1,"body":{"name":"b","parameters":{"__proto__":{"x":1},"y":[]}}}',
    );
  });

  it('OP-07 with NUL or lone surrogates is refused with the field', async () => {
    const answer = await refused(422, 'POST', '/api/v2/things', {
      text: '{"name":"a\\u0000","parameters":{"__proto__":"\\ud800"}}',
    });
    const message = 'must not contain NUL characters or lone surrogates';
    expect(Object.entries(answer.body.errors)).toEqual([
      ['name', [message]],
      ['parameters.__proto__', [message]],
    ]);
    expect((await ask('POST', '/api/v2/things', { text: '{"name":"\\ud83d\\ude00"}' })).status).toBe(201);
  });

  it('OP-07 nested deeper than 200 is 400; brackets in strings do not count', async () => {
    const nested = (depth: number) =>
      `{"name":"x","parameters":${'{"a":'.repeat(depth - 1)}1${'}'.repeat(depth - 1)}}`;
    expect((await ask('POST', '/api/v2/things', { text: nested(200) })).status).toBe(201);
    await refused(400, 'POST', '/api/v2/things', { text: nested(201) });
    const arrays = `{"name":"x","parameters":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    await refused(400, 'POST', '/api/v2/things', { text: arrays });
    const inText = JSON.stringify({ name: 'x', parameters: { a: '\\"[{'.repeat(1000) } });
    expect((await ask('POST', '/api/v2/things', { text: inText })).status).toBe(201);
  });

  it('OP-07 over its limit is 400, with the limit of its endpoint', async () => {
    const mebibytes = (count: number) =>
      JSON.stringify({ name: 'x', parameters: { a: 'y'.repeat(count * 1_048_576) } });
    expect((await ask('POST', '/api/v2/things', { text: mebibytes(0.9) })).status).toBe(201);
    await refused(400, 'POST', '/api/v2/things', { text: mebibytes(1.1) });
    expect((await ask('POST', '/api/v2/big', { text: mebibytes(11) })).status).toBe(200);
    await refused(400, 'POST', '/api/v2/big', { text: mebibytes(12.1) });
  });

  it('with millions of wrong entries gets a bounded answer', async () => {
    const answer = await refused(422, 'POST', '/api/v2/big', {
      text: `{"name":"x","parts":[${'0,'.repeat(4_000_000)}0]}`,
    });
    expect(Object.keys(answer.body.errors)).toHaveLength(100);
  });

  it('is answered below 500 with a problem document or as valid, for any content', async () => {
    const value = fc.jsonValue();
    const anything = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.string({ unit: 'binary' }),
      fc
        .record({ name: value, size: fc.double(), parts: value, parameters: value })
        .map((body) => JSON.stringify(body)),
      fc.constantFrom(
        '{"name":"x","size":1e999}',
        '{"name":"x","size":-1e999}',
        '{"size":1' + '0'.repeat(400) + '}',
      ),
    );
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        const answer = await ask('POST', '/api/v2/things', { text });
        expect([201, 400, 422]).toContain(answer.status);
        if (answer.status !== 201) expectProblem(answer, answer.status, '/api/v2/things');
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});

describe('malformed HTTP', () => {
  const tail = `Authorization: Bearer ${KEY}\r\nHost: x\r\nConnection: close\r\n\r\n`;

  it('gets a problem document', async () => {
    const broken: readonly (readonly [string, string])[] = [
      ['GET /%ZZ HTTP/1.1\r\n' + tail, '/%ZZ'],
      ['GET /api/v3/setups/%ff HTTP/1.1\r\n' + tail, '/api/v3/setups/%ff'],
      ['NONSENSE\r\n\r\n', '/'],
      ['GET /api/v2/agents HTTP/9.9\r\n\r\n', '/api/v2/agents'],
      ['GET /api/v2/agents HTTP/1.1\r\nBad Header\r\n\r\n', '/api/v2/agents'],
      ['GET /api/v2/agents HTTP/1.1\r\nContent-Length: -1\r\n' + tail, '/api/v2/agents'],
      ['GET /api/v2/agents?x HTTP/1.1\r\nX: ' + 'a'.repeat(20_000) + '\r\n' + tail, '/api/v2/agents'],
      [
        'POST /api/v2/things HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n' +
          tail +
          '0\r\n\r\n',
        '/api/v2/things',
      ],
    ];
    for (const [bytes, path] of broken) {
      const answer = await raw(bytes);
      expect(answer.status).toBe(400);
      expect(answer.head).toMatch(/content-type: application\/problem\+json\r\n/i);
      expect(answer.head).toMatch(/x-request-id: [A-Za-z0-9._-]+\r\n/i);
      expect(answer.head).toMatch(/x-response-time: \d+\.\dms/i);
      expect(answer.body).toMatchObject({ status: 400, instance: path });
      expect(answer.body.type).toBe(
        path.startsWith('/api/v3') ? 'about:blank' : `${DOCS}/errors/bad-request`,
      );
    }
  });

  it('is accepted where HTTP allows it: no Host, absolute form, an unknown expectation', async () => {
    const authorized = `Authorization: Bearer ${KEY}\r\nConnection: close\r\n`;
    expect((await raw(`GET /api/v2/agents HTTP/1.1\r\n${authorized}\r\n`)).status).toBe(200);
    const absolute = await raw(
      `GET http://any.test/api/v2/agents?page=0 HTTP/1.1\r\nHost: x\r\n${authorized}\r\n`,
    );
    expect(absolute.body).toMatchObject({ status: 422, instance: '/api/v2/agents' });
    expect(
      (await raw(`GET /api/v2/agents HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n${authorized}\r\n`)).status,
    ).toBe(200);
    expect((await raw(`OPTIONS * HTTP/1.1\r\nHost: x\r\n${authorized}\r\n`)).status).toBe(404);
    expect((await raw(`BREW /api/v2/agents HTTP/1.1\r\nHost: x\r\n${authorized}\r\n`)).status).toBe(400);
    expect((await raw(`PROPFIND /api/v2/agents HTTP/1.1\r\nHost: x\r\n${authorized}\r\n`)).status).toBe(405);
  });

  it('gets a problem document on a connection with earlier answers', async () => {
    const good = `GET /api/v2/agents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
    const received = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(good));
      let text = '';
      socket.setEncoding('utf8').on('data', (data) => {
        text += String(data);
        const answered = text.endsWith('}') && text.split('HTTP/1.1 ').length === 2;
        if (answered) socket.write('GET /api/v2/agents/é HTTP/1.1\r\n\r\n');
      });
      socket.on('error', reject).on('close', () => resolve(text));
    });
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(JSON.parse(received.slice(received.lastIndexOf('\r\n\r\n')))).toMatchObject({
      status: 400,
      detail: 'The request is not valid HTTP.',
      instance: '/api/v2/agents/',
    });
  });

  it('that stops in the middle of a body does no harm', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          `POST /api/v2/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`,
          () => socket.resetAndDestroy(),
        );
      });
      socket.on('close', () => resolve());
    });
    expect((await ask('GET', '/api/v2/agents')).status).toBe(200);
  });
});

describe('every answer', () => {
  it('CONV-06 CONV-07 OP-06 carries X-Request-Id, the sent one if it is valid', async () => {
    const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const id = async (sent: string) =>
      (await ask('GET', '/api/v2/agents', { headers: { 'x-request-id': sent } })).headers.get('x-request-id');
    expect(await id('abc-1._')).toBe('abc-1._');
    expect(await id('a'.repeat(128))).toBe('a'.repeat(128));
    expect(await id('a'.repeat(129))).toMatch(uuidV7);
    expect(await id('a b')).toMatch(uuidV7);
    const answer = await ask('GET', '/api/v2/agents');
    expect(answer.headers.get('x-request-id')).toMatch(uuidV7);
    expect(answer.headers.get('x-response-time')).toMatch(/^\d+\.\dms$/);
  });

  it('CONV-08 OP-65 is JSON and not to be stored', async () => {
    const answer = await ask('GET', '/api/v2/agents');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('OP-65 to HEAD is that of GET without body, and a trailing slash is the same route', async () => {
    const get = await ask('GET', '/api/v2/agents/');
    const head = await ask('HEAD', '/api/v2/agents');
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    for (const name of ['content-length', 'x-total-count', 'content-type']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
    expect((await ask('HEAD', '/api/v2/agents', { key: null })).status).toBe(401);
    expect((await ask('HEAD', '/api/v2/nothing')).status).toBe(404);
  });

  it('OP-68 of a deprecated endpoint has the headers, errors too', async () => {
    for (const key of [KEY, null]) {
      const { headers } = await ask('GET', '/api/v2/persona', { key });
      expect(headers.get('deprecation')).toBe('@1767225600');
      expect(headers.get('link')).toBe('</api/v2/personas>; rel="successor-version"');
      expect(headers.get('sunset')).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
    }
    expect((await ask('GET', '/api/v2/agents')).headers.get('deprecation')).toBeNull();
  });

  it('OP-68 names the successor of the requested resource', async () => {
    const links = async (path: string) => {
      const { headers } = await ask('GET', path);
      return [headers.get('deprecation'), headers.get('link')];
    };
    const successor = (path: string) => ['@1767225600', `<${path}>; rel="successor-version"`];
    expect(await links('/api/v2/watchlists/company/7')).toEqual(successor('/api/v2/lists/company/7'));
    // any text in the path stays inside the brackets
    expect(await links('/api/v2/watchlists/company/%0d%0a%3E;x')).toEqual(
      successor('/api/v2/lists/company/%0D%0A%3E%3Bx'),
    );
    // another method of the path too
    const other = await ask('POST', '/api/v2/watchlists/company/7');
    expect([other.status, other.headers.get('deprecation'), other.headers.get('link')]).toEqual([
      405,
      ...successor('/api/v2/lists/company/7'),
    ]);
    expect(other.headers.get('sunset')).toBe('Fri, 01 Jan 2027 00:00:00 GMT');
    // a path below it without a route too, with the successor of the part that has one
    for (const below of ['/none', '/1/2/3', '/none/']) {
      const path = `/api/v2/watchlists/company/7${below}`;
      expect([path, (await ask('GET', path)).status, ...(await links(path))]).toEqual([
        path,
        404,
        ...successor('/api/v2/lists/company/7'),
      ]);
    }
    expect((await ask('PATCH', '/api/v2/leads/1')).headers.get('deprecation')).toBeNull();
    expect((await ask('GET', '/api/v2/leads/1/none')).headers.get('deprecation')).toBeNull();
    const { body } = await ask('GET', '/openapi.json');
    expect(body.paths['/api/v2/watchlists/{kind}/{list_id}'].get.deprecated).toBe(true);
    expect(body.paths['/api/v2/leads/{id}'].get.deprecated).toBeUndefined();
  });

  it('writes one JSON line to the log, without key, query or body', async () => {
    lines.length = 0;
    await ask('POST', '/api/v2/things?q=hidden-query', {
      json: { name: 'hidden-body' },
      headers: { 'x-request-id': 'line-1' },
    });
    await ask('GET', '/api/v2/leads/abc', { headers: { 'x-request-id': 'line-2' } });
    const log = lines.join('');
    const [made, refused] = ['line-1', 'line-2'].map((id) =>
      logged().find(({ requestId }) => requestId === id),
    );
    expect(made).toMatchObject({
      workspaceId: 1,
      method: 'POST',
      route: '/api/v2/things',
      status: 201,
      problem: null,
    });
    expect(made.durationMs).toEqual(expect.any(Number));
    expect(refused).toMatchObject({ route: '/api/v2/leads/:id', status: 400, problem: 'bad-request' });
    for (const secret of [KEY, 'hidden-query', 'hidden-body']) expect(log).not.toContain(secret);
  });

  it('is counted by route pattern; the metrics are not on the public port', async () => {
    await ask('GET', '/api/v2/leads/7');
    const text = await registry.metrics();
    expect(text).toContain(
      'http_request_duration_seconds_count{method="GET",route="/api/v2/leads/:id",status="200"}',
    );
    expect(text).toContain('http_problems_total{route="none",problem="not-found"}');
    expect((await ask('GET', '/metrics')).status).toBe(404);
  });

  it('gives the command its context', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { 'x-request-id': 'r-1', traceparent };
    const { body } = await ask('GET', '/api/v2/context', { headers });
    expect(body).toEqual({
      api_key_id: 11,
      request_id: 'r-1',
      context: {
        commandId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        actor: { kind: 'apiKey', id: '11' },
        workspaceId: 1,
        correlationId: 'r-1',
        traceparent,
      },
    });
    const again = await ask('GET', '/api/v2/context', { headers: { traceparent: 'x' } });
    expect(again.body.context.commandId).not.toBe(body.context.commandId);
    expect(again.body.context).not.toHaveProperty('traceparent');
  });
});

describe('offset pages', () => {
  it('PAG-01 PAG-02 PAG-03 PAG-04 have an envelope and headers that agree', async () => {
    const { body, headers } = await ask('GET', '/api/v2/agents');
    expect(body.data).toHaveLength(10);
    expect(body.meta).toEqual({ pagination: { page: 1, page_size: 10, page_count: 3, total: 23 } });
    const sent = ['X-Total-Count', 'X-Page', 'X-Page-Size', 'X-Page-Count'].map((name) => headers.get(name));
    expect(sent).toEqual(['23', '1', '10', '3']);
    const empty = await ask('GET', '/api/v3/setups');
    expect(empty.body).toEqual({
      data: [],
      meta: { pagination: { page: 1, page_size: 25, page_count: 0, total: 0 } },
    });
  });

  it('PAG-05 PAG-06 return every row once; beyond the end they are empty with the true total', async () => {
    const ids: number[] = [];
    for (const number of [1, 2, 3, 4]) {
      const { body } = await ask('GET', `/api/v2/agents?page=${number}`);
      ids.push(...body.data.map(({ id }: { id: number }) => id));
      expect(body.meta.pagination.total).toBe(23);
    }
    expect(ids).toEqual(Array.from({ length: 23 }, (_id, index) => index + 1));
    const far = await ask('GET', `/api/v2/agents?page=${Number.MAX_SAFE_INTEGER}&page_size=25`);
    expect(far.body).toMatchObject({ data: [], meta: { pagination: { total: 23 } } });
  });

  it('PAG-07 PAG-08 PAG-09 PAG-10 PAG-11 ERR-08 refuse invalid values with the class of the endpoint', async () => {
    const bad = [
      'page=0',
      'page=-1',
      'page=1.5',
      'page=abc',
      'page=',
      'page=1&page=2',
      'page_size=0',
      'page_size=-1',
    ];
    for (const query of [...bad, 'page_size=x', 'page_size=101', 'page=%00', 'page=%ff', 'page=1e3']) {
      const name = query.startsWith('page_size') ? 'page_size' : 'page';
      const agents = await refused(422, 'GET', `/api/v2/agents?${query}`);
      expect(Object.keys(agents.body.errors)).toEqual([name]);
      const setups = await refused(400, 'GET', `/api/v3/setups?${query}`);
      expect(setups.body.title).toBe('Invalid query parameters');
      expect(Object.keys(setups.body.errors)).toEqual([name]);
      await refused(400, 'GET', `/api/v2/mappings?${query}`);
    }
    expect((await ask('GET', '/api/v2/agents?page_size=26')).status).toBe(422);
    expect((await ask('GET', '/api/v2/agents?page_size=25')).status).toBe(200);
    expect((await ask('GET', '/api/v3/setups?page_size=100&Page=0&unknown=1&__proto__=1')).status).toBe(200);
  });

  it('all invalid parameters are reported at once', async () => {
    const { body } = await ask(
      'GET',
      '/api/v3/setups?page=x&page_size=1000&include_archived=maybe&date_from=soon',
    );
    expect(Object.keys(body.errors)).toEqual(['page', 'page_size', 'include_archived', 'date_from']);
  });
});

describe('cursor pages', () => {
  it('CUR-03 CUR-04 CUR-07 follow the v3 cursor to the end, every row once', async () => {
    const ids: number[] = [];
    let cursor: string | null = null;
    let more = true;
    while (more) {
      const { body }: Answered = await ask(
        'GET',
        `/api/v3/usage?limit=7${cursor === null ? '' : `&cursor=${cursor}`}`,
      );
      ids.push(...body.data.map(({ id }: { id: number }) => id));
      ({ next: cursor, has_more: more } = body.meta.cursor);
      expect(cursor === null).toBe(!more);
    }
    expect(ids).toEqual(Array.from({ length: 60 }, (_id, index) => index + 1));
  });

  it('CUR-02 follow the v2 cursor in the body', async () => {
    const first = await ask('POST', '/api/v2/signals/query', { json: {} });
    expect(first.body.meta).toEqual({ next_cursor: expect.any(String), has_more: true });
    const after = ({ body }: Answered): Promise<Answered> =>
      ask('POST', '/api/v2/signals/query', { json: { cursor: body.meta.next_cursor } });
    const third = await after(await after(first));
    expect(third.body.meta).toEqual({ next_cursor: null, has_more: false });
    expect(third.body.data.at(-1)).toEqual({ id: 60 });
  });

  it('CUR-01 limit is 1 to 100', async () => {
    for (const limit of ['0', '101', '1.5', 'x', '']) {
      const answer = await refused(400, 'GET', `/api/v3/usage?limit=${limit}`);
      expect(Object.keys(answer.body.errors)).toEqual(['limit']);
    }
    expect((await ask('GET', '/api/v3/usage?limit=100')).body.data).toHaveLength(60);
    expect((await ask('GET', '/api/v3/usage')).body.data).toHaveLength(25);
  });

  it('CUR-06 OP-23 refuse garbage, other dates, other endpoints and other workspaces', async () => {
    const { next } = (await ask('GET', '/api/v3/usage')).body.meta.cursor;
    const foreign = (await ask('POST', '/api/v2/signals/query', { json: {} })).body.meta.next_cursor;
    const queries = [
      'x',
      '',
      next.slice(1),
      next.slice(0, -1),
      `${next}.`,
      foreign,
      `${next}&cursor=${next}`,
    ];
    for (const query of [...queries, `${next}&date_from=2026-01-01`, '%00', 'x'.repeat(5000)]) {
      const answer = await refused(400, 'GET', `/api/v3/usage?cursor=${query}`);
      expect(answer.body.title).toBe('Invalid query parameters');
      expect(Object.keys(answer.body.errors)).toEqual(['cursor']);
    }
    const dates = await ask('GET', `/api/v3/usage?cursor=${next}&date_from=2026-01-01`);
    expect(dates.body.errors.cursor).toEqual(['was issued for other dates']);
    expect((await ask('GET', `/api/v3/usage?cursor=${next}`, { key: FOREIGN })).status).toBe(400);
    expect((await ask('GET', `/api/v3/usage?cursor=${next}`, { key: TWIN })).status).toBe(200);
    await refused(400, 'POST', '/api/v2/signals/query', { json: { cursor: next } });
  });
});

describe('endpoints outside the specification', () => {
  it('GET /health/live and /health/ready need no key; not ready is 503 with the reasons', async () => {
    expect((await ask('GET', '/health/live', { key: null })).body).toEqual({ status: 'live' });
    const isReady = await ask('GET', '/health/ready', { key: null });
    expect(isReady.body).toEqual({ status: 'ready', degraded: ['detections'] });
    ready = false;
    const notReady = await ask('GET', '/health/ready', { key: null });
    ready = true;
    expectProblem(notReady, 503, '/health/ready');
    expect(notReady.body).toMatchObject({ reasons: ['the event store is down'], degraded: ['detections'] });
    expect(notReady.headers.get('retry-after')).toBe('1');
  });

  it('GET /errors/<slug> explains a problem type', async () => {
    const answer = await ask('GET', '/errors/conflict', { key: null });
    expect(answer.body).toMatchObject({ slug: 'conflict', title: 'Conflict', meaning: expect.any(String) });
    expect((await ask('GET', '/errors/toString', { key: null })).status).toBe(404);
  });

  it('GET /openapi.json documents every endpoint from its declaration', async () => {
    const { body } = await ask('GET', '/openapi.json', { key: null });
    expect(body.openapi).toBe('3.1.0');
    expect(body.info.version).toBe('1.2.3');
    for (const { method, paths } of app.endpoints) {
      for (const path of paths) {
        expect(body.paths[path.replace(/:(\w+)/g, '{$1}')]).toHaveProperty(method.toLowerCase());
      }
    }
    expect(app.endpoints.length).toBeGreaterThan(10);
    const make = body.paths['/api/v2/runs'].post;
    const statuses = ['202', '400', '401', '403', '409', '422', '429', '500', '503'];
    expect(Object.keys(make.responses)).toEqual(statuses);
    const [, sent] = make.requestBody.content['application/json'].schema.$ref.split('schemas/');
    expect(body.components.schemas[sent]).toMatchObject({
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 20 }, parameters: { type: 'object' } },
    });
    const list = body.paths['/api/v2/agents'].get;
    expect(list.parameters[1]).toEqual({
      name: 'page_size',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: 25, default: 10 },
    });
    expect(Object.keys(list.responses)).toEqual(['200', '401', '422', '429', '500', '503']);
    expect(body.paths['/api/v2/fail/{what}'].get.responses['402'].description).toContain(
      'does not cover one match',
    );
    expect(body.paths['/api/v2/persona'].get.deprecated).toBe(true);
    expect(body.paths['/health/live'].get.security).toEqual([]);
    const ids = Object.values<any>(body.paths).flatMap((operations) =>
      Object.values<any>(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('OP-73 ends a request whose body does not arrive in time with 408, and its connection; default 30 s after its head', async () => {
    // the server's own timeout starts with the head, which has 30 s of its own, and is the last resort
    expect(app.nest.getHttpServer()).toMatchObject({ headersTimeout: 30_000, requestTimeout: 60_000 });
    const impatient = await start({ requestTimeoutMs: 100 });
    const { port: at } = await impatient.listen(0, '127.0.0.1');
    const head = `POST /api/v2/things HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${KEY}\r\n`;
    const bytes = `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const answer = await raw(bytes, at);
    expect(answer).toMatchObject({
      status: 408,
      body: { detail: 'The body of the request did not arrive in time.' },
    });
    expect(`${answer.head}\r\n`.toLowerCase()).toContain('\r\nconnection: close\r\n');
    await impatient.close();
  });

  it('OP-65 OPTIONS is answered only if origins are configured', async () => {
    const open = await start({ corsOrigins: ['https://app.example.test'] });
    const { url: base } = await open.listen(0, '127.0.0.1');
    const headers = { origin: 'https://app.example.test', 'access-control-request-method': 'POST' };
    const preflight = await ask('OPTIONS', '/api/v2/things', { base, key: null, headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://app.example.test');
    expect(preflight.headers.get('x-request-id')).not.toBeNull();
    // Without it a browser cannot resume a stream of events.
    expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain('Last-Event-ID');
    const evil = { origin: 'https://evil.example.test' };
    const other = await ask('GET', '/api/v2/agents', { base, headers: evil });
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const unknown = await ask('GET', '/nope', { base, headers: { origin: 'https://app.example.test' } });
    expect(unknown.status).toBe(404);
    expect(unknown.headers.get('access-control-allow-origin')).toBe('https://app.example.test');
    const shown = unknown.headers.get('access-control-expose-headers')?.split(', ');
    expect(shown).toEqual(expect.arrayContaining(['Retry-After', 'ETag', 'Credits-Charged', 'Next-Cursor']));
    await open.close();
  });
});
