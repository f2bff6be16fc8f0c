import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { houseRoot } from '#test/house/house.js';
import { Webhook } from 'standardwebhooks';
import { answered } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { installedClient, type ClientFolder } from '#test/support/written-client.js';

/** An external program: it uses only the published package. */
const PROGRAM = `
import {
  createClient,
  everyRow,
  everyRowBehind,
  RequestRefused,
  type AccountRow,
  type Agent,
  type ChangePersonaBody,
  type CreateAgentBody,
  type Detection,
  type List,
  type Movement,
  type Problem,
} from 'signal-ledger-client';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey });

const wanted: CreateAgentBody = { type: 'keyword_post_search', parameters: { tracking_keywords: ['crm'] } };
const { data: made, error } = await client.POST('/api/v2/agents', { body: wanted });
if (made === undefined) throw new Error(error.detail);
const agent: Agent = made.data;

const names: string[] = [];
const lists: AsyncIterable<List> = everyRow((page) =>
  client.GET('/api/v2/lists', { params: { query: { page, page_size: 2 } } }),
);
for await (const list of lists) names.push(list.name);

const keys: string[] = [];
const movements: AsyncIterable<Movement> = everyRowBehind((cursor) =>
  client.GET('/api/v3/credits/movements', { params: { query: { limit: 1, ...(cursor && { cursor }) } } }),
);
for await (const movement of movements) keys.push(movement.key);

const detections: AsyncIterable<Detection> = everyRowBehind((cursor) =>
  client.POST('/api/v2/workspace/signals/query', { body: { limit: 1, ...(cursor && { cursor }) } }),
);
let found = 0;
for await (const detection of detections) found += detection.id > 0 ? 1 : 0;

const path = { agent_id: agent.id + 1000 };
const missing = await client.GET('/api/v2/agents/{agent_id}', { params: { path } });
const problem: Problem | undefined = missing.error;

let refused: number | null = null;
try {
  const stranger = createClient({ baseUrl, apiKey: 'nobody' });
  for await (const list of everyRow((page) => stranger.GET('/api/v2/lists', { params: { query: { page } } }))) list.id;
} catch (reason) {
  refused = reason instanceof RequestRefused ? reason.status : null;
}

const account: AccountRow = { domain: 'acme.com', tier: 'Tier 1' };
const change: ChangePersonaBody = { tag: null };
// @ts-expect-error an entry names a company
const nobody: AccountRow = { tier: 'Tier 1' };
// @ts-expect-error a persona has no such field
const nothing: ChangePersonaBody = { tags: null };
// @ts-expect-error there is no such type of agent
const wrong: CreateAgentBody = { type: 'keyword' };
// @ts-expect-error there is no such path
const nowhere = () => client.GET('/api/v2/agent');
// @ts-expect-error a name is no number
const title: number = agent.name;

console.log(JSON.stringify({ agent, names, keys, found, problem, refused }));
`;

/** A reader of the whole feed, which has a cursor on its last page too; more than ten requests end it. */
const FEED = `
import { createClient, everyRowBehind } from 'signal-ledger-client';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey });
const types: string[] = [];
let asked = 0;
const events = everyRowBehind((cursor) => {
  asked += 1;
  if (asked > 10) throw new Error('the last page was asked for again');
  return client.GET('/api/v3/events', { params: { query: { limit: 1, ...(cursor && { cursor }) } } });
});
for await (const { type } of events) types.push(type);
console.log(JSON.stringify({ types, asked }));
`;

/** Waits are recorded instead of waited for, and the service answers the listed statuses. */
const RETRIES = `
import { createClient } from 'signal-ledger-client';

const waits: number[] = [];
globalThis.setTimeout = ((then: () => void, ms: number) => (waits.push(ms), queueMicrotask(then), 0)) as never;
type Given = { status: number; after?: string };
const asked: Request[] = [];
const clientOf = (answers: Given[], options: { retries?: number; strict?: boolean } = {}) =>
  createClient({
    baseUrl: 'http://service.test',
    apiKey: 'key',
    ...options,
    fetch: async (request) => {
      asked.push(request);
      const { status, after } = answers.shift() ?? { status: 200 };
      return new Response(status === 200 ? '{"data":{}}' : '{"status":429}', {
        status,
        headers: { 'content-type': 'application/json', ...(after !== undefined && { 'retry-after': after }) },
      });
    },
  });
type Answered = { response: Response };
const outcomes: Record<string, unknown> = {};
const record = async (name: string, call: Promise<Answered>): Promise<void> => {
  const { response } = await call;
  outcomes[name] = { status: response.status, requests: asked.length, waits: [...waits] };
  asked.length = waits.length = 0;
};
const read = (client: ReturnType<typeof clientOf>) => client.GET('/api/v3/credits/balance');
const write = (client: ReturnType<typeof clientOf>, headers: Record<string, string> = {}) =>
  client.POST('/api/v2/lists', { body: { type: 'competitor', name: 'A' }, headers });
const busy = { status: 429, after: '7' };
const gone = { status: 503 };
const soon = { status: 429, after: new Date(Date.now() + 30_000).toUTCString() };

await record('after seconds', read(clientOf([busy, { status: 429, after: '2' }])));
await record('without a time', read(clientOf([{ status: 429 }, { status: 429 }, { status: 429 }])));
await record('a minute at most', read(clientOf([{ status: 429, after: '3600' }])));
await record('until a date', read(clientOf([soon])));
outcomes['date'] = (outcomes['until a date'] as { waits: number[] }).waits.map((ms) => ms > 28_000 && ms <= 30_000);
await record('three times', read(clientOf([busy, busy, busy, busy])));
await record('never', read(clientOf([busy], { retries: 0 })));
await record('a write that was refused', write(clientOf([busy])));
await record('a read of a store that is gone', read(clientOf([gone])));
await record('a write that may be done', write(clientOf([gone])));
await record('a write with a key', write(clientOf([gone]), { 'Idempotency-Key': 'k' }));
const running = { status: 409, after: '1' };
await record('a key whose first request runs', write(clientOf([running, running]), { 'Idempotency-Key': 'k' }));
await record('a conflict without a key', write(clientOf([running])));
await record('a conflict with a key', write(clientOf([{ status: 409 }]), { 'Idempotency-Key': 'k' }));
await record('another fault', read(clientOf([{ status: 500 }])));
const strict = clientOf([]);
await strict.GET('/api/v3/credits/balance');
await clientOf([], { strict: false }).GET('/api/v3/credits/balance');
outcomes['prefer'] = asked.map(({ headers }) => headers.get('prefer'));
outcomes['key'] = asked[0]?.headers.get('authorization');
console.log(JSON.stringify(outcomes));
`;

/** A receiver: its first argument has the deliveries, one entry each. */
const RECEIVER = `
import { NotVerified, verify, type DeliveredEvent, type DeliveryHeaders } from 'signal-ledger-client';

type Sent = { body: string; headers: Record<string, string>; secrets: string | string[]; nowMs?: number; tolerance?: number };
const sent: Sent[] = JSON.parse(process.argv[2] ?? '[]');

function costOf(event: DeliveredEvent): number | null {
  if (event.type !== 'signal.detected' || event.data === null || 'link' in event.data) return null;
  // @ts-expect-error a signal has no such member
  event.data.price;
  return event.data.credits;
}
const outcomes: unknown[] = [];
for (const { body, headers, secrets, nowMs, tolerance } of sent) {
  const options = { ...(nowMs !== undefined && { now: () => nowMs }), ...(tolerance !== undefined && { toleranceSeconds: tolerance }) };
  const forms: [string | Uint8Array, DeliveryHeaders][] = [
    [body, headers],
    [new TextEncoder().encode(body), new Headers(headers)],
    [body, Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]))],
  ];
  const each = await Promise.all(
    forms.map(([content, head]) =>
      verify(content, head, secrets, options).then(
        (event) => ({ id: event.id, cost: costOf(event) }),
        (error) => (error instanceof NotVerified ? error.reason : error.name),
      ),
    ),
  );
  outcomes.push(new Set(each.map((one) => JSON.stringify(one))).size === 1 ? each[0] : each);
}
console.log(JSON.stringify(outcomes));
`;

describe('the typed client', () => {
  const service = scene();
  const workspace = sharedWorkspace(service);
  let client: ClientFolder;
  beforeAll(async () => {
    client = await installedClient();
  });
  afterAll(() => client.remove());

  it('is packed with its types, its README and its licence, and without its sources', () => {
    expect(client.packed).toEqual([
      'LICENSE',
      'README.md',
      ...['client', 'paging', 'retries', 'schema', 'verify'].flatMap((name) => [
        `dist/${name}.d.ts`,
        `dist/${name}.js`,
      ]),
      'package.json',
    ]);
  });

  it('replaces a former client in a folder outside of the repository, and no other files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'client-'));
    const write = () => spawnSync(process.execPath, [join(houseRoot, 'tools/write-client.mjs'), folder]);
    const packageFile = join(folder, 'package.json');
    try {
      writeFileSync(packageFile, '{"name":"another"}');
      const refused = write();
      expect([refused.status, String(refused.stderr)]).toEqual([
        2,
        `${folder} has files that are not those of a client: name an empty folder\n`,
      ]);
      expect(readFileSync(packageFile, 'utf8')).toBe('{"name":"another"}');
      writeFileSync(packageFile, '{"name":"signal-ledger-client"}');
      writeFileSync(join(folder, 'former.ts'), '');
      expect(write().status).toBe(0);
      expect(readdirSync(folder).sort()).toEqual([
        'LICENSE',
        'README.md',
        'dist',
        'package.json',
        'src',
        'tsconfig.json',
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('OP-66 retries requests answered 429 or 503, and 409 while the first request of a key runs, after the time in Retry-After, and none that must not be repeated', async () => {
    const outcomes = JSON.parse(await client.run('retries', RETRIES, []));
    expect(outcomes).toEqual({
      'after seconds': { status: 200, requests: 3, waits: [7_000, 2_000] },
      'without a time': { status: 200, requests: 4, waits: [1_000, 2_000, 4_000] },
      'a minute at most': { status: 200, requests: 2, waits: [60_000] },
      'until a date': { status: 200, requests: 2, waits: [expect.any(Number)] },
      date: [true],
      'three times': { status: 429, requests: 4, waits: [7_000, 7_000, 7_000] },
      never: { status: 429, requests: 1, waits: [] },
      'a write that was refused': { status: 200, requests: 2, waits: [7_000] },
      'a read of a store that is gone': { status: 200, requests: 2, waits: [1_000] },
      'a write that may be done': { status: 503, requests: 1, waits: [] },
      'a write with a key': { status: 200, requests: 2, waits: [1_000] },
      'a key whose first request runs': { status: 200, requests: 3, waits: [1_000, 1_000] },
      'a conflict without a key': { status: 409, requests: 1, waits: [] },
      'a conflict with a key': { status: 409, requests: 1, waits: [] },
      'another fault': { status: 500, requests: 1, waits: [] },
      prefer: ['handling=strict', null],
      key: 'Bearer key',
    });
  });

  it('DLV-04 verifies signatures of Standard Webhooks, also during a rotation, and refuses all others and outdated ones', async () => {
    const [secret, next, strange] = [1, 2, 3].map(
      (byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
    );
    const body = JSON.stringify({
      id: 'evt_1',
      type: 'signal.detected',
      data: { credits: 10, who: 'Žofie' },
    });
    const now = new Date();
    const headersOf = (secrets: readonly (string | undefined)[], at = now, of = body) => ({
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': secrets.map((each) => new Webhook(each ?? '').sign('evt_1', at, of)).join(' '),
    });
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
    const good = headersOf([secret]);
    const { 'webhook-signature': signature, ...unsigned } = good;
    const verified = { id: 'evt_1', cost: 10 };
    const cases: readonly (readonly [sent: object, outcome: unknown])[] = [
      [{ body, headers: good, secrets: secret }, verified],
      [{ body, headers: good, secrets: [next, secret] }, verified],
      [{ body, headers: headersOf([next, secret]), secrets: secret }, verified],
      [{ body, headers: headersOf([next, secret]), secrets: next }, verified],
      [
        { body, headers: { ...good, 'webhook-signature': `v2,AAAA ${signature}` }, secrets: secret },
        verified,
      ],
      [{ body, headers: headersOf([secret], ago(290)), secrets: secret }, verified],
      [{ body, headers: headersOf([secret], ago(900)), secrets: secret, tolerance: 1_000 }, verified],
      [
        { body, headers: headersOf([secret], ago(900)), secrets: secret, nowMs: ago(890).getTime() },
        verified,
      ],
      [{ body, headers: headersOf([next, secret]), secrets: strange }, 'no_match'],
      [{ body: `${body} `, headers: good, secrets: secret }, 'no_match'],
      [{ body, headers: { ...good, 'webhook-id': 'evt_2' }, secrets: secret }, 'no_match'],
      [{ body, headers: { ...good, 'webhook-signature': 'v1,not base64!' }, secrets: secret }, 'no_match'],
      [
        { body, headers: { ...good, 'webhook-signature': signature.replace('v1', 'v2') }, secrets: secret },
        'no_match',
      ],
      [{ body, headers: unsigned, secrets: secret }, 'missing_header'],
      [{ body, headers: { ...good, 'webhook-timestamp': 'now' }, secrets: secret }, 'bad_timestamp'],
      [{ body, headers: headersOf([secret], ago(320)), secrets: secret }, 'too_old'],
      [{ body, headers: headersOf([secret], ago(-320)), secrets: secret }, 'too_new'],
      [{ body, headers: good, secrets: 'whsec_' }, 'TypeError'],
    ];
    const printed = await client.run('receiver', RECEIVER, [JSON.stringify(cases.map(([sent]) => sent))]);
    expect(JSON.parse(printed)).toEqual(cases.map(([, outcome]) => outcome));
  });

  it('DLV-01 CUR-04 reads the feed to its end, although the last page has a cursor for later events', async () => {
    const paid = await service.workspace({ credits: 2 });
    await answered(200, paid.call('PUT /api/v3/credits/thresholds', { credits: [1], days: [] }));
    await paid.command('credits.hold', { credits: 2, product: 'work', key: 'all' });
    const printed = await client.run('feed', FEED, [service.url, paid.apiKey]);
    expect(JSON.parse(printed)).toEqual({ types: ['credits.low', 'credits.run_out'], asked: 2 });
  });

  it('is written, compiles, and a program that has only its published files calls the running service', async () => {
    for (const name of ['A', 'B', 'C']) await workspace.list('competitor', [], { name });
    for (const key of ['one', 'two', 'three']) {
      await workspace.command('credits.hold', { credits: 1, product: 'work', key });
    }
    const printed = await client.run('program', PROGRAM, [service.url, workspace.apiKey]);
    expect(JSON.parse(printed)).toMatchObject({
      agent: { type: 'keyword_post_search', parameters: { tracking_keywords: ['crm'] } },
      names: ['All my employees', 'A', 'B', 'C'],
      keys: [
        expect.stringContaining('three'),
        expect.stringContaining('two'),
        expect.stringContaining('one'),
      ],
      found: 0,
      problem: { status: 404, title: 'Not Found' },
      refused: 401,
    });
    const body = await answered(200, workspace.call('GET /api/v2/agents'));
    expect(body.data.length).toEqual(1);
  });
});
