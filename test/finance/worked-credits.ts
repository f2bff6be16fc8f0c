import type { StatementView } from '#ledger/answers/statement.answer.js';
import type { ImportReportView } from '#ledger/commands/opening-report.js';
import { keywordAgent, observedPerson, observedPost } from '#test/support/observed-network.js';
import { freshWorkspace, importFile, openingFile } from '#test/support/opening-files.js';
import { type Answer, type TestService, type TestWorkspace } from '#test/support/service.js';
import { balanceOf, seeRunThrough } from '#test/support/signal-runs.js';
import { minute, signed, statementTable, table } from './finance-tables.js';
import { workedOut, type Steps } from './worked-service.js';

type Balance = {
  readonly balance: number;
  readonly held: number;
  readonly captured: number;
  readonly granted: number;
  readonly expired?: number;
};
type Run = {
  readonly at: string;
  readonly what: string;
  readonly stage: string;
  readonly found: number;
  readonly dropped: number;
  readonly spent: number;
  readonly capSpent: number | null;
  readonly balance: number;
};

/** Credits before spending, on the real service with a manual clock; docs/finance.md describes each example. */
export type WorkedCredits = {
  readonly lots: {
    readonly statement: StatementView;
    readonly balances: readonly (readonly [string, Balance])[];
  };
  readonly cap: { readonly runs: readonly Run[]; readonly refused: Answer['body'] };
  readonly quote: {
    readonly quoted: Answer['body'];
    readonly run: Run;
    readonly again: string;
    readonly next: Answer['body'];
  };
  readonly opening: {
    readonly file: string;
    readonly report: ImportReportView;
    readonly quoted: Answer['body'];
    readonly statement: StatementView;
    readonly verified: Answer['body'];
  };
};

export const workedCredits = (): Promise<WorkedCredits> =>
  workedOut(async (service, steps) => {
    await steps.on('02-28T08:00');
    await service.ingest([observedPerson('ana'), ...posts('1', '2', '3', '4', '5')]);
    return {
      lots: await lotAcrossItsEnd(service, steps),
      cap: await capInARun(service, steps),
      quote: await quoted(service, steps),
      opening: await imported(service, steps),
    };
  });

const posts = (...names: readonly string[]) =>
  names.map((name) => observedPost(name, 'ana', 'Which CRM do you use?', `2026-02-01T0${name}:00:00Z`));

/** 10 credits by contract and 6 until March: one hold is captured after the expiry, another is released. */
async function lotAcrossItsEnd(service: TestService, { ask, on }: Steps): Promise<WorkedCredits['lots']> {
  const own = await freshWorkspace(service, { name: 'Umbrella' });
  const workspace = { workspace_id: own.id };
  const balances: (readonly [string, Balance])[] = [];
  const look = async (what: string): Promise<void> => {
    await service.ops('work.drain');
    balances.push([what, await balanceOf(own)]);
  };
  const hold = (key: string, credits: number) =>
    ask('credits.hold', { ...workspace, key, credits, product: 'export' });

  await on('02-28T09:00');
  await ask('credits.grant', {
    ...workspace,
    credits: 10,
    reason: 'Contract 2026',
    grant_key: 'contract',
  });
  await ask('credits.grant', {
    ...workspace,
    credits: 6,
    reason: 'Welcome',
    grant_key: 'welcome',
    expires_at: '2026-03-01',
    promotional: true,
  });
  await on('02-28T18:00');
  await hold('export:1', 3);
  await hold('export:2', 2);
  await look('28 February, 18:00: two exports are held');
  await on('03-01T00:00');
  await look('1 March, 00:00: the welcome credits end');
  await on('03-01T09:00');
  await ask('credits.release', { ...workspace, key: 'export:2' });
  await look('1 March, 09:00: one export is released');
  await on('03-01T12:00');
  await ask('credits.capture', { ...workspace, key: 'export:1' });
  await look('1 March, 12:00: the other is captured');
  await on('03-02T00:00');
  const statement = await ask('ledger.statement', {
    ...workspace,
    from: '2026-02-01',
    to: '2026-03-02',
  });
  return { statement, balances };
}

/** Five posts at 10 credits each with a cap of 25 a day: two a day. */
async function capInARun(service: TestService, { ask, on }: Steps): Promise<WorkedCredits['cap']> {
  await on('03-02T09:00');
  const own = await service.workspace({ name: 'Soylent', credits: 100 });
  const agent = await keywordAgent(own, 'crm');
  await ask('caps.set', { workspace_id: own.id, scope: 'workspace', period: 'day', limit: 25 });
  const runs = [await seeRun(service, own, agent, 'first run')];
  const refused = (await own.call(`POST ${RUNS}`, { agent_id: agent })).body;
  await on('03-03T00:00');
  runs.push(await seeRun(service, own, agent, 'on the next day'));
  return { runs, refused };
}

/** Launches an agent and returns the result of its run. */
async function seeRun(service: TestService, own: TestWorkspace, agent: number, what: string): Promise<Run> {
  const run = await seeRunThrough(service, own, agent);
  return runOf(service, own, run, what);
}

async function runOf(
  service: TestService,
  own: TestWorkspace,
  run: Answer['body'],
  what: string,
): Promise<Run> {
  const caps = (await own.call('GET /api/v3/credits/caps')).body.data;
  return {
    at: service.service.host.clock.now().toISOString(),
    what,
    stage: run.stage,
    found: run.matches_found,
    dropped: run.matches_dropped,
    spent: run.credits_spent,
    capSpent: caps[0]?.spent ?? null,
    balance: (await balanceOf(own)).balance,
  };
}

const RUNS = '/api/v2/workspace/signal-runs';

/** A quote for five posts, and a sixth that arrives before the launch. */
async function quoted(service: TestService, { on }: Steps): Promise<WorkedCredits['quote']> {
  await on('03-03T09:00');
  const own = await service.workspace({ name: 'Tyrell', credits: 100 });
  const agent_id = await keywordAgent(own, 'crm');
  const quote = async (): Promise<Answer['body']> =>
    (await own.call(`POST ${RUNS}/quote`, { agent_id })).body;
  const first = await quote();
  await service.ingest(posts('6'));
  const launched = await own.call(`POST ${RUNS}`, { agent_id, quote_id: first.quote_id });
  await service.ops('work.drain');
  const { body } = await own.call(`GET ${RUNS}/${launched.body[0].signal_request_id}`);
  const run = await runOf(service, own, body, 'launched with the quote');
  const again = await own.call(`POST ${RUNS}`, { agent_id, quote_id: first.quote_id });
  return { quoted: first, run, again: `${again.status} ${again.body.detail}`, next: await quote() };
}

/** A workspace imported from another system, where two of the posts were paid for. */
async function imported(service: TestService, { ask, on }: Steps): Promise<WorkedCredits['opening']> {
  await on('03-04T08:00');
  const own = await freshWorkspace(service, { name: 'Wayne' });
  const agent = await keywordAgent(own, 'crm');
  const file = openingFile(
    [
      { kind: 'lot', id: 'contract-7', credits: '60.5', granted_at: '2025-04-01' },
      { kind: 'lot', id: 'top-up-9', credits: 20 },
      { kind: 'lot', id: 'welcome', credits: 15, expires_at: '2026-06-01', priority: 10, promotional: true },
      { kind: 'paid', subject: 'post:post:1' },
      { kind: 'paid', subject: 'post:post:2' },
      { kind: 'open_hold', id: 'h-31', credits: 10, held_at: '2026-03-03T22:00:00Z', what: 'export' },
      { kind: 'history', id: 'm-1', at: '2025-06-01', credits: -20, what: 'two posts' },
    ],
    { closed_at: '2026-03-03T23:59:59Z', open_holds: 1, history: 1 },
  );
  const { status, body: report } = await importFile(service, own.id, file);
  if (status !== 200) throw new Error(JSON.stringify(report));
  const { body: quoteAnswer } = await own.call(`POST ${RUNS}/quote`, { agent_id: agent });
  await seeRunThrough(service, own, agent);
  await on('03-05T00:00');
  const of = { workspace_id: own.id };
  return {
    file,
    report,
    quoted: quoteAnswer,
    statement: await ask('ledger.statement', { ...of, from: '2026-03-04', to: '2026-03-05' }),
    verified: await ask('ledger.verify', of),
  };
}

/** The examples as the part of docs/finance.md between its markers. Hashes differ between runs and are left out. */
export function workedCreditsPage({ lots, cap, quote, opening }: WorkedCredits): string {
  const runs = (rows: readonly Run[]): string =>
    table(
      ['At (UTC)', 'Run', 'Ends', 'Found', 'Dropped', 'Spent', 'Under the cap', 'Balance'],
      rows.map(({ at, what, stage, found, dropped, spent, capSpent, balance }) => [
        minute(at),
        what,
        stage,
        found,
        dropped,
        spent,
        capSpent ?? '',
        balance,
      ]),
    );
  const offer = ({ candidates, free, priced, ...rest }: Answer['body']): string =>
    `candidates ${candidates}, new ${rest.new}, free ${free}, priced ${priced}, at most ${rest.credits_at_most} credits, exact: ${rest.exact}, balance afterwards ${rest.balance.afterwards}`;
  const { report, statement, verified } = opening;
  return [
    '### A grant that expires, with holds across its end',
    table(
      ['When', 'Balance', 'On hold', 'Spent', 'Expired', 'Granted'],
      lots.balances.map(([what, { balance, held, captured, expired, granted }]) => [
        what,
        balance,
        held,
        captured,
        expired ?? 0,
        granted,
      ]),
    ),
    table(
      ['Recorded (UTC)', 'Entry', 'What', 'Change', 'Of the lot', 'Spent', 'Balance'],
      lots.statement.rows.map((row) => [
        minute(row.at),
        row.revision,
        [row.kind, row.key ?? ''].join(' ').trim(),
        signed(row.credits),
        row.lots?.map(({ credits }) => credits).join(' ') ?? '',
        row.spend === 0 ? '' : row.spend,
        row.balance,
      ]),
    ),
    '### A cap that is reached in a run',
    runs(cap.runs),
    `A launch between the two, on the first day: ${cap.refused.status} ${cap.refused.title}. Of the cap of ${cap.refused.cap.limit}, ${cap.refused.cap.spent} are spent until ${minute(cap.refused.cap.resets_at)}; a post costs ${cap.refused.credits_required}.`,
    '### A quote, and what was spent',
    `The quote: ${offer(quote.quoted)}.`,
    runs([quote.run]),
    `A second launch with the same quote: ${quote.again} The next quote: ${offer(quote.next)}.`,
    '### An import with its parity report',
    `\`\`\`json\n${opening.file.trim()}\n\`\`\``,
    table(
      ['What', 'Old closing', 'New opening', 'Equal'],
      report.parity.map(({ what, closing, opening: here, equal }) => [
        what,
        closing,
        here,
        equal ? 'yes' : 'no',
      ]),
    ),
    table(
      ['Not imported', 'Number', 'Credits'],
      [
        ['open holds', report.not_imported.open_holds, report.not_imported.held],
        ['movements of the past', report.not_imported.history, ''],
      ],
    ),
    `A quote right after it: ${offer(opening.quoted)}. The statement of that day:`,
    statementTable(statement),
    `\`ledger verify\` recomputed revision ${verified.revision}: ${verified.differences.length} differences.`,
  ].join('\n\n');
}
