import { readFileSync } from 'node:fs';
import { SAMPLE_FILE, shiftSample } from '../../sample/shift-sample.js';
import { renderTable } from '../print-result.js';
import { styled } from '../styled.js';
import { agree, agreed } from './agreement.js';
import { LOOKBACK_DAYS, runToItsEnd, type QuotedRuns, type Scene } from './demo-run.js';
import { startDemoService, type DemoService, type Json } from './demo-service.js';
import { findEverySignal, type DemoTally } from './every-signal.js';
import { sampleOf } from './expected-signals.js';
import { countByHand, type CountedSearch } from './independent-count.js';
import { mapCompany, type Mapped } from './map-company.js';
import { readSources } from './read-sources.js';
import { receiveWebhooks } from './receive-webhook.js';
import { monitorAccounts, type MonitoredMonths } from './monitor-accounts.js';

const KEYWORDS = ['CRM', 'sales automation', 'C++'];
const JOB_TITLES = ['sales', 'marketing', 'revenue', 'operations', 'founder', 'head'];
const COUNTRIES = [
  'France',
  'Germany',
  'Spain',
  'Portugal',
  'United Kingdom',
  'United States',
  'Japan',
  'Greece',
];
const GRANTED = 1_500;
const PRICE = 10;
const SHOWN_DETECTIONS = 8;

const bold = (text: string): string => styled('bold', text);
const say = (text = ''): void => void process.stdout.write(`${text}\n`);

async function allSignals(service: DemoService, apiKey: string): Promise<readonly Json[]> {
  const rows: Json[] = [];
  let cursor: string | null = null;
  do {
    const page: Json = await service.api(apiKey, 'POST /api/v3/signals/query', {
      limit: 100,
      ...(cursor === null ? {} : { cursor }),
    });
    rows.push(...page.data);
    cursor = page.meta.cursor.next;
  } while (cursor !== null);
  return rows;
}

async function printAccess(service: DemoService): Promise<string> {
  const now = new Date();
  await service.operator('clock.set', { now: now.toISOString() });
  const lines = shiftSample(
    readFileSync(SAMPLE_FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
    now,
  );
  const scene = await openWorkspace(service, lines);
  const setupId = await setUp(scene);
  const receiver = await receiveWebhooks(scene);
  const paid = await findAndPay(scene, setupId, lines);
  await receiver.showFirst(say);
  await receiver.close();
  const again = await findNothingTwice(scene, setupId);
  const others = await findEverySignal(scene, sampleOf(lines, askedAt(now)));
  const mapped = await mapCompany(scene, lines, askedAt(now), say);
  const books = await compareBooks(scene, setupId, paid, others, mapped);
  say();
  say(
    `A second run of "Talk about CRM" was quoted ${again.quote.credits_at_most}, found ${again.quote.new} new ones and cost ${again.spent}.`,
  );
  say(
    `Balance   ${books.balance.balance} of ${books.balance.granted} granted; spent ${books.balance.captured}, held ${books.balance.held}`,
  );
  say(`Usage     ${books.used} movements captured`);
  say(
    `Stats     ${books.stats.signals_found} signals about ${books.stats.accounts_reached} accounts in 90 days, ${books.stats.credits_spent} credits`,
  );
  const monitored = await monitorAccounts(scene, say);
  await showStatement(scene, paid, others, mapped, monitored);
  await readSources(service, say);
  say();
  say(`${agreed()} numbers compared with an independent count: all agree.`);
  return scene.apiKey;
}

async function openWorkspace(service: DemoService, lines: readonly string[]): Promise<Scene> {
  const { workspace_id: workspaceId, api_key: apiKey } = await service.operator('workspace.create', {
    name: 'Demo workspace',
    credits: GRANTED,
  });
  const ingested = await service.operator('network.ingest', `${lines.join('\n')}\n`);
  agree('observations taken in', ingested.accepted, lines.length);
  say(
    `Workspace ${workspaceId} with ${GRANTED} credits; ${ingested.accepted} observations of the network taken in.`,
  );
  return { service, workspaceId, apiKey };
}

async function setUp({ service, apiKey }: Scene): Promise<number> {
  const persona = { tag: 'Sales leaders', job_title: JOB_TITLES, location: COUNTRIES };
  await service.api(apiKey, 'POST /api/v2/personas', persona);
  const templates = await service.api(apiKey, 'GET /api/v3/signal-templates?page_size=100');
  const template = templates.data.find(({ key }: Json) => key === 'mentioned-keywords-on-network');
  agree('price of one signal', template.pricing.discovery.credits, PRICE);
  const setup = await service.api(apiKey, 'POST /api/v3/signal-setups', {
    signal_template_id: template.id,
    name: 'Talk about CRM',
    parameters: { tracking_keywords: KEYWORDS },
  });
  say(`Setup ${setup.data.id} "${setup.data.name}" watches for ${KEYWORDS.join(', ')}.`);
  return setup.data.id;
}

const askedAt = (now: Date): CountedSearch => ({
  keywords: KEYWORDS,
  jobTitles: JOB_TITLES,
  countries: COUNTRIES,
  now,
  lookbackDays: LOOKBACK_DAYS,
});

/** Runs the setup and shows its signals; returns how many were paid for. */
async function findAndPay(scene: Scene, setupId: number, lines: readonly string[]): Promise<number> {
  const { service, apiKey } = scene;
  const { quote, runs, spent } = await runToItsEnd(scene, setupId);
  const [run] = runs;
  const expected = countByHand(lines, askedAt(new Date(run.created_at)));
  const paid = expected.matches.filter(({ top }) => top).length;
  agree('stage of the run', run.stage, 'completed');
  agree('matches of the run', run.matches_found, expected.matches.length);
  agree('credits of the run', spent, paid * PRICE);
  agree('candidates of the quote', quote.candidates, expected.matches.length);
  agree('priced ones of the quote', quote.priced, paid);
  agree('credits of the quote', quote.credits_needed, paid * PRICE);

  const signals = await allSignals(service, apiKey);
  agree('signals of top priority', signals.length, paid);
  const count = await service.api(apiKey, 'POST /api/v2/workspace/signals/count', {});
  agree('detections', count.data.count, expected.matches.length);
  say(
    `Quoted before it ran: ${quote.new} new, ${quote.priced} priced, ${quote.credits_at_most} credits. Spent: ${spent}.`,
  );
  say();
  say(
    bold(
      `${expected.matches.length} detections; ${paid} of top priority at ${PRICE} credits each, the others about people outside the persona and free:`,
    ),
  );
  say(
    renderTable(
      signals.slice(0, SHOWN_DETECTIONS).map(({ id, signal_date, lead, company, details }) => ({
        id,
        date: signal_date.slice(0, 10),
        who: lead?.full_name ?? company?.name ?? '(unknown)',
        title: lead?.title ?? '-',
        keywords: details.keywords.join(', '),
        post: details.post_text.replace(/\s+/g, ' ').slice(0, 44),
        credits: PRICE,
      })),
    ),
  );
  if (signals.length > SHOWN_DETECTIONS) say(`… and ${signals.length - SHOWN_DETECTIONS} more`);
  return paid;
}

async function findNothingTwice(scene: Scene, setupId: number): Promise<QuotedRuns> {
  const again = await runToItsEnd(scene, setupId);
  agree('matches of a second run', again.runs[0]?.matches_found, 0);
  agree('new ones in the quote of a second run', again.quote.new, 0);
  agree('credits of a second run', again.spent, 0);
  return again;
}

/** Compares all numbers that show the spending. */
async function compareBooks(
  { service, apiKey }: Scene,
  setupId: number,
  paid: number,
  others: DemoTally,
  mapped: Mapped,
) {
  const { data: balance } = await service.api(apiKey, 'GET /api/v3/credits/balance');
  agree('balance', balance.balance, GRANTED - paid * PRICE - others.credits - mapped.credits);
  agree('held', balance.held, 0);
  let used = 0;
  let cursor = '';
  do {
    const page = await service.api(
      apiKey,
      `GET /api/v3/usage?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    used += page.data.filter(({ status }: Json) => status === 'captured').length;
    cursor = page.meta.cursor.next ?? '';
  } while (cursor !== '');
  agree('captured movements', used, paid + others.movements + mapped.captured);
  const { data: stats } = await service.api(apiKey, `GET /api/v3/signal-setups/${setupId}/stats`);
  agree('signals in the stats', stats.signals_found, paid);
  agree('credits in the stats', stats.credits_spent, paid * PRICE);
  const weeks = stats.weeks.map((week: Json) => week.signals_found);
  agree(
    'sum of the weeks',
    weeks.reduce((sum: number, found: number) => sum + found, 0),
    paid,
  );
  return { balance, used, stats };
}

async function showStatement(
  { service, workspaceId }: Scene,
  paid: number,
  others: DemoTally,
  mapped: Mapped,
  monitored: MonitoredMonths,
): Promise<void> {
  const statement = await service.operator('ledger.statement', { workspace_id: workspaceId });
  agree(
    'closing of the statement',
    statement.closing,
    GRANTED - paid * PRICE - others.credits - mapped.credits - monitored.credits,
  );
  const movements = paid + others.movements + mapped.captured + mapped.released + monitored.captured;
  agree('rows of the statement', statement.rows.length, 1 + 2 * movements);
  const verified = await service.operator('ledger.verify', { workspace_id: workspaceId });
  agree('ledger verified', verified.ok, true);
  agree('hash of the ledger', verified.hash, statement.hash);

  say();
  say(bold('Statement for finance'));
  const opened = statement.rows[0];
  say(
    renderTable([
      { what: 'opening', credits: null, balance: statement.opening },
      { what: `grant (${opened.cause.reason})`, credits: opened.credits, balance: opened.balance },
      ...Object.entries(statement.totals.by_product).map(([product, credits]) => ({
        what: product,
        credits: -Number(credits),
        balance: null,
      })),
      { what: `closing, revision ${statement.revision}`, credits: null, balance: statement.closing },
    ]),
  );
  say(`hash      ${statement.hash}`);
  say(
    `verified  ${verified.revision + 1} entries, ${verified.movements} movements, ${verified.differences.length} differences`,
  );
}

const given = process.argv.slice(2);
const wrong = given.find((argument) => !['--serve', '--help', '-h'].includes(argument));
if (wrong !== undefined) {
  console.error(`the demo takes --serve, not ${wrong}`);
  process.exit(2);
}
const serve = given.includes('--serve');
const help = given.includes('--help') || given.includes('-h');
if (help) {
  say(
    'npm run demo [-- --serve]: the main job on real HTTP, on a throw-away data directory; --serve keeps it running.',
  );
  process.exit(0);
}
const service = await startDemoService();
try {
  const apiKey = await printAccess(service);
  say();
  if (serve) {
    say(`Serving on ${service.url} until you press Ctrl-C. Try:`);
    say(`  curl -s -H 'Authorization: Bearer ${apiKey}' ${service.url}/api/v3/credits/balance`);
    say(`The API with every request and answer: ${service.url}/docs`);
    say(`The console: ${service.console.url}. Sign in with the token ${service.console.token}`);
    say('Its clock has the time to which the demo moved it.');
    process.on('SIGINT', () => undefined);
    await service.ended;
  } else {
    say(
      'Next: `npm run demo -- --serve` keeps it running and prints a curl line; `npm start` starts your own.',
    );
    say('Both serve a page with every request and answer: http://127.0.0.1:3000/docs with `npm start`.');
  }
} catch (error) {
  console.error(`\nThe demo failed. ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await service.stop();
}
