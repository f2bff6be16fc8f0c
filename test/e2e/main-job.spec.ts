import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FIRST_STEPS } from '#apps/api/src/reference/first-steps.js';
import { SAMPLE_FILE, shiftSample } from '#apps/cli/sample/shift-sample.js';
import { houseRoot } from '#test/house/house.js';
import { apiDocument } from '#test/support/declared-answers.js';
import { diagnostic } from '#test/support/diagnostic.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { installedClient, output } from '#test/support/written-client.js';

/** The steps of README.md, in TypeScript. */
const TYPESCRIPT = `
import { createClient, everyRowBehind, type Signal } from 'signal-ledger-client';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const client = createClient({ baseUrl, apiKey });
const must = <T>(answer: { data?: T; error?: { detail?: string; title: string } }): T => {
  if (answer.data === undefined) throw new Error(answer.error?.detail ?? answer.error?.title);
  return answer.data;
};

must(await client.POST('/api/v2/personas', { body: { job_title: ['sales'], location: ['France'] } }));
const setup = must(
  await client.POST('/api/v3/signal-setups', {
    body: {
      signal_template_key: 'mentioned-keywords-on-network',
      parameters: { tracking_keywords: ['CRM', 'sales automation'] },
    },
  }),
).data;
const [launched] = must(
  await client.POST('/api/v2/workspace/signal-runs', {
    body: { signal_setup_id: setup.id, parameters: { lookback_days: 180 } },
  }),
);
if (launched === undefined) throw new Error('nothing was launched');
const wait = { path: { id: launched.signal_request_id }, header: { Prefer: 'wait=20' } };
const poll = async () => must(await client.GET('/api/v2/workspace/signal-runs/{id}', { params: wait }));
let run = await poll();
while (run.stage === 'running') run = await poll();

const signals: Signal[] = [];
const rows: AsyncIterable<Signal> = everyRowBehind((cursor) =>
  client.POST('/api/v3/signals/query', { body: { limit: 3, ...(cursor && { cursor }) } }),
);
for await (const signal of rows) signals.push(signal);
const { balance } = must(await client.GET('/api/v3/credits/balance')).data;
console.log(
  JSON.stringify({
    matches: run.matches_found,
    spent: run.credits_spent,
    first: signals[0]?.lead?.full_name,
    signals: signals.length,
    balance,
  }),
);
`;

/** The same in Python. */
const PYTHON = `
import json, sys
from client import AuthenticatedClient
from client.api.credits_ import get_credit_balance
from client.api.personas import create_persona
from client.api.signal_runs import get_signal_run, launch_signal_run
from client.api.signal_setups import create_signal_setup
from client.api.signals import query_signals_v3
from client.models import PersonaBody, CreateSignalSetupBody, LaunchSignalRunBody, QuerySignalsV3Body

client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
STRICT = "handling=strict"

create_persona.sync(client=client, prefer=STRICT, body=PersonaBody(job_title=["sales"], location=["France"]))
setup = create_signal_setup.sync(client=client, prefer=STRICT, body=CreateSignalSetupBody.from_dict({
    "signal_template_key": "mentioned-keywords-on-network",
    "parameters": {"tracking_keywords": ["CRM", "sales automation"]},
})).data
launched = launch_signal_run.sync(client=client, prefer=STRICT, body=LaunchSignalRunBody.from_dict({
    "signal_setup_id": setup.id, "parameters": {"lookback_days": 180},
}))
run = get_signal_run.sync(launched[0].signal_request_id, client=client, prefer="wait=20")
while run.stage == "running":
    run = get_signal_run.sync(launched[0].signal_request_id, client=client, prefer="wait=20")

signals, cursor = [], None
while True:
    body = {"limit": 3} if cursor is None else {"limit": 3, "cursor": cursor}
    page = query_signals_v3.sync(client=client, body=QuerySignalsV3Body.from_dict(body))
    signals += page.data
    cursor = page.meta.cursor.next_
    if cursor is None:
        break
balance = get_credit_balance.sync(client=client).data.balance
print(json.dumps({
    "matches": run.matches_found, "spent": run.credits_spent, "first": signals[0].lead.full_name,
    "signals": len(signals), "balance": balance,
}))
`;

const EXPECTED = { matches: 79, spent: 80, first: 'Ana Roy', signals: 8, balance: 120 };
const README = readFileSync(join(houseRoot, 'README.md'), 'utf8');
const hasCurl = spawnSync('curl', ['--version']).status === 0;

type PythonTools = {
  pythonWithGenerator: () => string | null;
  generatePythonClient: (
    python: string,
    document: object,
    folder: string,
  ) => { status: number; said: string };
};
const { generatePythonClient, pythonWithGenerator }: PythonTools = await import(
  pathToFileURL(join(houseRoot, 'tools/openapi/python-client.mjs')).href
);
const python = pythonWithGenerator();
if (!hasCurl) diagnostic('no curl here: the steps of README.md are not run');
if (python === null)
  diagnostic('no Python here has openapi-python-client (see PYTHON): its client does not do the main job');

describe('the main job of README.md', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ RATE_LIMIT_RPS: '0' });
    const lines = readFileSync(SAMPLE_FILE, 'utf8').trim().split('\n');
    const sample = shiftSample(lines, new Date()).map((line): object => JSON.parse(line));
    await service.ingest(sample);
  });
  afterAll(() => service.stop());

  const newKey = async (): Promise<string> => (await service.workspace({ credits: 200 })).apiKey;

  it('stands in README.md and on the page of the API in the same words, without any id', () => {
    const shown = apiDocument();
    expect(JSON.parse(JSON.stringify(shown)).info.description).toContain(FIRST_STEPS);
    expect(README).toContain(FIRST_STEPS);
    expect(FIRST_STEPS).not.toMatch(/id\\?":\d|\/\d/);
    expect(README.match(/^(call|curl).*(id\\?":\d|[a-z]\/\d)/gm)).toBeNull();
  });

  (hasCurl ? it : it.skip)('is done in a shell, by the lines that stand there', async () => {
    const environment = { BASE_URL: service.url, API_KEY: await newKey() };
    const printed = await output('sh', ['-c', FIRST_STEPS], houseRoot, environment);
    const answers = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const [, run, signals, balance] = answers;
    expect([answers.length, run.stage, run.matches_found, run.credits_spent]).toEqual([
      4,
      'completed',
      EXPECTED.matches,
      EXPECTED.spent,
    ]);
    expect([signals.data[0].lead.full_name, balance.data.balance]).toEqual([
      EXPECTED.first,
      EXPECTED.balance,
    ]);
  });

  it('is done by the packed client in TypeScript', async () => {
    const client = await installedClient();
    try {
      const printed = await client.run('main-job', TYPESCRIPT, [service.url, await newKey()]);
      expect(JSON.parse(printed)).toEqual(EXPECTED);
    } finally {
      client.remove();
    }
  });

  (python === null ? it.skip : it)('is done by a client in Python, generated from the document', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'main-job-'));
    try {
      const { status, said } = generatePythonClient(python ?? '', apiDocument(), join(folder, 'client'));
      expect([status, said]).toEqual([0, expect.any(String)]);
      writeFileSync(join(folder, 'main_job.py'), PYTHON);
      const printed = await output(python ?? '', ['main_job.py', service.url, await newKey()], folder);
      expect(JSON.parse(printed)).toEqual(EXPECTED);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
