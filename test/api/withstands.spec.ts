import { Agent, request } from 'node:http';
import { text as wholeText } from 'node:stream/consumers';
import { operatorCommands } from '#runtime/operator-commands.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { keptBytes } from '#test/support/kept-memory.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE, templateIdsOf } from '#test/support/signal-runs.js';
import { isRecord } from '../support/records.js';

const MEBIBYTE = 1024 * 1024;
const DEEP = 100_000;

/** Bytes that are no JSON object: on any route the caller's fault. */
const MALFORMED: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[] = [
  ['cut off', '{"name": "x'],
  ['not JSON', 'name=x&type=y'],
  ['a NUL byte in it', '{"name": "a\u0000b"}'],
  ['only NUL bytes', '\u0000\u0000\u0000\u0000'],
  ['broken UTF-8', Uint8Array.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0xff, 0x22, 0x7d])],
  ['a text cut in the middle of a character', Uint8Array.from([0x7b, 0x22, 0xe2, 0x82])],
  ['deep arrays', '['.repeat(DEEP) + ']'.repeat(DEEP)],
  ['deep objects', '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP)],
  ['an array', '[]'],
  ['a number', '1e400'],
  ['a string', '"object"'],
  ['another language', '<?xml version="1.0"?><a/>'],
];

/** Values that no field accepts, or at the limit of what one accepts. */
const HOSTILE: readonly unknown[] = [
  {},
  [],
  [[]],
  [null],
  [{}],
  true,
  0,
  -1,
  0.1,
  1e308,
  -1e308,
  9_007_199_254_740_993,
  '',
  ' ',
  '1e9',
  'NaN',
  '\u0000',
  'a\u0000b',
  '\ud800',
  ['\udfff'],
  '\u202e\u200b',
  '../../etc/passwd',
  "'; DROP TABLE events; --",
  'x'.repeat(70_000),
  Array.from({ length: 5_000 }, (_, index) => index),
  { $ne: null },
  { __proto__: null, constructor: { prototype: { polluted: true } } },
  { toString: 1, valueOf: 1, length: 1e9 },
];

type Route = { readonly method: string; readonly path: string; readonly fields: readonly string[] };

/** Its connections are closed before the service stops. */
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

let routes: readonly Route[];
/** A valid body for each route, so that one bad field is the only fault. */
let goodBodies: ReadonlyMap<string, object>;

const service = scene();
const workspace = sharedWorkspace(service, {}, async (made) => {
  const document = (await service.call('GET /openapi.json')).body;
  routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(isRecord(operations) ? operations : {}).flatMap(([method, operation]): Route[] =>
      isRecord(operation) && isRecord(operation['requestBody'])
        ? [{ method: method.toUpperCase(), path, fields: fieldsOf(document, operation['requestBody']) }]
        : [],
    ),
  );
  await made.persona({ tag: 'first', job_title: ['Sales'], location: ['France'] });
  const parameters = { tracking_keywords: ['x'] };
  const signal_template_id = (await templateIdsOf(made)).get(KEYWORD_TEMPLATE);
  goodBodies = new Map<string, object>([
    ['POST /api/v2/agents', { type: 'keyword_post_search', parameters }],
    ['POST /api/v3/signal-setups', { signal_template_id, name: 'Setup', parameters }],
    ['POST /api/v2/workspace/signal-runs', { agent_id: await keywordAgent(made, 'x') }],
  ]);
});
const opsUrlOf = (command: string): string => `${service.service.opsUrl ?? ''}/ops/${command}`;

/** Names of the fields of a request body, following references. */
function fieldsOf(document: unknown, requestBody: unknown): readonly string[] {
  const fields = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isRecord(node)) return;
    const reference = node['$ref'];
    if (typeof reference === 'string') {
      const [, ...steps] = reference.split('/');
      return visit(steps.reduce<unknown>((at, step) => (isRecord(at) ? at[step] : undefined), document));
    }
    if (isRecord(node['properties'])) for (const name of Object.keys(node['properties'])) fields.add(name);
    for (const key of ['content', 'application/json', 'schema', 'anyOf', 'oneOf', 'allOf'])
      if (key in node) visit(node[key]);
  };
  visit(requestBody);
  return [...fields];
}

type Outcome = { readonly status: number; readonly isProblem: boolean };

type Received = { readonly status: number; readonly type: string; readonly text: string };
type Headers = { readonly [name: string]: string };

/** A service answers larger bodies before it has read them. */
const SMALL = 64 * 1024;

/** Thousands of requests are small, and `fetch` takes twice the processor time. */
function sendSmall(url: string, method: string, headers: Headers, body: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent }, (answer) => {
      const type = answer.headers['content-type'] ?? '';
      wholeText(answer).then((text) => resolve({ status: answer.statusCode ?? 0, type, text }), reject);
    })
      .on('error', reject)
      .end(body);
  });
}

async function sendLarge(
  url: string,
  method: string,
  headers: Headers,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
): Promise<Received> {
  const duplex = body instanceof ReadableStream ? { duplex: 'half' as const } : {};
  const response = await fetch(url, { method, headers, body, ...duplex });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text: await response.text() };
}

async function send(
  url: string,
  method: string,
  token: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  contentType = 'application/json',
): Promise<Outcome> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': contentType };
  const { status, type, text } =
    typeof body === 'string' && body.length <= SMALL
      ? await sendSmall(url, method, headers, body)
      : await sendLarge(url, method, headers, body);
  const answer: unknown = text === '' ? null : JSON.parse(text);
  const isProblem =
    type.startsWith('application/problem+json') && isRecord(answer) && answer['status'] === status;
  return { status, isProblem };
}

const urlOf = ({ path }: Route, id: string): string =>
  `${service.url}${path.replaceAll(/\{kind\}/g, 'profile').replaceAll(/\{[^}]+\}/g, id)}`;

/** A refusal in the form of a problem document that added no event. */
async function expectRefused(what: string, call: () => Promise<Outcome>): Promise<void> {
  let outcome: Outcome | null = null;
  const added = await service.eventsOf(async () => {
    outcome = await call();
  });
  expect({ what, outcome, added }).toEqual({
    what,
    outcome: { status: expect.toSatisfyClientError(), isProblem: true },
    added: [],
  });
}

/**
 * Sends every hostile value in every field: no answer is a 5xx, and a refusal is a problem document and adds no
 * event. Returns the number of refusals.
 */
async function expectWithstood(
  where: string,
  fields: readonly string[],
  ask: (field: string, value: unknown) => Promise<Outcome>,
): Promise<number> {
  let refused = 0;
  for (const field of fields) {
    let outcomes: readonly Outcome[] = [];
    const addedByAll = await service.eventsOf(async () => {
      outcomes = await Promise.all(HOSTILE.map((value) => ask(field, value)));
    });
    const bad = HOSTILE.filter((_, index) => {
      const { status = 0, isProblem = false } = outcomes[index] ?? {};
      return status < 200 || status >= 500 || (status >= 400 && !isProblem);
    });
    expect({ where, field, bad }).toEqual({ where, field, bad: [] });
    refused += outcomes.filter(({ status }) => status >= 400).length;
    if (addedByAll.length === 0) continue;
    // Accepted values may have started work, whose events do not count for the refused ones.
    await service.drain();
    // A conflict is caused by other concurrent requests, not by the value.
    const refusable = HOSTILE.filter((_, index) => {
      const { status = 0 } = outcomes[index] ?? {};
      return status >= 400 && status !== 409;
    });
    const added = await service.eventsOf(() => Promise.all(refusable.map((value) => ask(field, value))));
    expect({ where, field, added }).toEqual({ where, field, added: [] });
  }
  return refused;
}

declare global {
  namespace jest {
    interface Expect {
      toSatisfyClientError(): unknown;
    }
  }
}
expect.extend({
  toSatisfyClientError: (received: unknown) => ({
    pass: typeof received === 'number' && received >= 400 && received < 500,
    message: () => `${String(received)} is no client error`,
  }),
});

describe('every route with a body', () => {
  it('is included', () => {
    expect(routes.length).toBeGreaterThanOrEqual(11);
    expect(routes.every(({ fields }) => fields.length > 0)).toBe(true);
  });

  it('refuses bytes that are no JSON object with a problem document and no event', async () => {
    for (const route of routes) {
      for (const [what, bytes] of MALFORMED) {
        const title = `${route.method} ${route.path}: ${what}`;
        await expectRefused(title, () => send(urlOf(route, '1'), route.method, workspace.apiKey, bytes));
      }
      const title = `${route.method} ${route.path}: another content type`;
      await expectRefused(title, () =>
        send(urlOf(route, '1'), route.method, workspace.apiKey, '{}', 'text/plain'),
      );
    }
  });

  it('never answers 5xx to a hostile value in any field; a refusal adds no event', async () => {
    let refused = 0;
    for (const route of routes) {
      const good = goodBodies.get(`${route.method} ${route.path}`) ?? {};
      const refusedHere = await expectWithstood(
        `${route.method} ${route.path}`,
        route.fields,
        (field, value) =>
          send(
            urlOf(route, '1'),
            route.method,
            workspace.apiKey,
            JSON.stringify({ ...good, [field]: value }),
          ),
      );
      expect(refusedHere).toBeGreaterThan(0);
      refused += refusedHere;
    }
    expect(refused).toBeGreaterThan(1_000);
  });

  it('refuses invalid ids', async () => {
    const ids = [
      '0',
      '-1',
      '1e3',
      '9'.repeat(400),
      '%00',
      '%ff',
      'null',
      '1;2',
      '%F0%9F%92%A9',
      '..%2f..%2f',
    ];
    for (const route of routes.filter(({ path }) => path.includes('{'))) {
      for (const id of ids) {
        const title = `${route.method} ${route.path} with ${id}`;
        await expectRefused(title, () => send(urlOf(route, id), route.method, workspace.apiKey, '{}'));
      }
    }
  });

  it('refuses bodies over the limit, announced or not, without keeping them', async () => {
    const big = new Uint8Array(8 * MEBIBYTE).fill(0x61);
    const unannounced = (): ReadableStream => {
      let pieces = 0;
      return new ReadableStream({
        pull(controller) {
          if ((pieces += 1) > 64) controller.close();
          else controller.enqueue(big.subarray(0, 256 * 1024));
        },
      });
    };
    const outcome = async (call: Promise<Outcome>): Promise<number> => {
      try {
        return (await call).status;
      } catch (error) {
        // The service may answer and close the connection before the whole body is sent; the sender then sees a
        // reset.
        if (error instanceof TypeError) return 400;
        throw error;
      }
    };
    const before = keptBytes();
    for (const route of routes) {
      await service.expectEvents([], async () => {
        const url = urlOf(route, '1');
        // A body that is too large is 400; a wrong path may be reported first.
        const refusals = route.path.includes('{') ? [400, 404] : [400];
        expect(refusals).toContain(await outcome(send(url, route.method, workspace.apiKey, big)));
        expect(refusals).toContain(await outcome(send(url, route.method, workspace.apiKey, unannounced())));
      });
    }
    // A service that kept the bodies would hold 24 MiB for each route.
    expect(keptBytes() - before).toBeLessThan(routes.length * 12 * MEBIBYTE);
    expect((await workspace.call('GET /api/v3/credits/balance')).status).toBe(200);
  });
});

describe('every operator command', () => {
  // Commands that take long, stop the clock for others or have nothing to refuse when their input is empty are left
  // out.
  it('refuses bytes that are no JSON object, and hostile values in any field, and adds no event', async () => {
    let refused = 0;
    for (const command of operatorCommands) {
      const url = opsUrlOf(command.name);
      for (const [what, bytes] of MALFORMED)
        await expectRefused(`${command.name}: ${what}`, () => send(url, 'POST', service.token, bytes));
      const fields = Object.keys(command.input.properties);
      refused += await expectWithstood(command.name, fields, (field, value) =>
        send(url, 'POST', service.token, JSON.stringify({ workspace_id: 999_999, [field]: value })),
      );
    }
    expect(operatorCommands.length).toBeGreaterThan(20);
    expect(refused).toBeGreaterThan(1_000);
  });

  it('network.ingest rejects hostile lines one by one, keeps the valid ones, and adds no event', async () => {
    const good = { kind: 'company', ref: 'c:good', rev: 1, handle: 'good', name: 'Good' };
    const lines: (string | Uint8Array<ArrayBuffer>)[] = [
      ...MALFORMED.map(([, bytes]) => bytes),
      ...Object.keys(good).flatMap((field) =>
        HOSTILE.map((value, index) =>
          JSON.stringify({ ...good, ref: `c:${field}-${index}`, [field]: value }),
        ),
      ),
      'y'.repeat(3 * MEBIBYTE),
      JSON.stringify(good),
    ];
    const body = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
    let report = { accepted: 0, rejected_total: 0 };
    await service.expectEvents([], async () => {
      const response = await fetch(opsUrlOf('network.ingest'), {
        method: 'POST',
        headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/x-ndjson' },
        body,
      });
      expect(response.status).toBe(200);
      report = (await response.json()) as typeof report;
    });
    const { accepted, rejected_total: rejected } = report;
    expect(rejected).toBeGreaterThan(80);
    expect(accepted).toBeGreaterThanOrEqual(1);
    const again = await service.ingest([good]);
    expect(again.body).toMatchObject({ accepted: 0, unchanged: 1 });
  });
});
