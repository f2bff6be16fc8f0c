import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { houseRoot } from '#test/house/house.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';

/** A program of somebody else: it knows the package and nothing of the house. */
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

const { resolve } = createRequire(import.meta.url);
const compiler = join(dirname(resolve('typescript-native/package.json')), 'bin/tsc');
const folder = join(houseRoot, '.cache', `client-${process.pid}`);

describe('the typed client', () => {
  let service: TestService;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    service = await startTestService({ RATE_LIMIT_RPS: '0' });
    workspace = await service.workspace();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  });

  it('is written, compiles, and a program that has only its published files talks to the running service', async () => {
    await run([join(houseRoot, 'tools/write-client.mjs'), join(folder, 'written')]);
    install(join(folder, 'written'), join(folder, 'node_modules/signal-ledger-client'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const strict = [
      '--ignoreConfig',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'ES2023',
    ];
    const lib = ['--lib', 'ES2023,DOM,DOM.AsyncIterable', '--types', 'node'];
    await run([compiler, ...strict, ...lib, join(folder, 'program.ts')]);

    for (const name of ['A', 'B', 'C'])
      await workspace.call('POST /api/v2/lists', { type: 'competitor', name });
    for (const key of ['one', 'two', 'three']) {
      await service.ops('credits.hold', {
        workspace_id: workspace.id,
        credits: 1,
        product: 'work',
        key,
      });
    }
    const printed = await run([join(folder, 'program.js'), service.url, workspace.apiKey]);
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
    const { status, body } = await workspace.call('GET /api/v2/agents');
    expect([status, body.data.length]).toEqual([200, 1]);
  });
});

/** As a registry would give it: what the package names as its files, and no more. */
function install(from: string, to: string): void {
  const { files }: { readonly files: readonly string[] } = JSON.parse(
    readFileSync(join(from, 'package.json'), 'utf8'),
  );
  mkdirSync(to, { recursive: true });
  for (const file of ['package.json', ...files])
    cpSync(join(from, file), join(to, file), { recursive: true });
}

/** What a script prints; throws, with what it said, where it fails. */
async function run(words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [...words], { cwd: houseRoot });
  let printed = '';
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const status = await new Promise((done) => child.on('close', done));
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${String(status)}\n${printed}\n${said}`);
  return printed;
}
