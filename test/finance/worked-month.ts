import type { MovementDetail } from '#ledger/answers/movement.answer.js';
import type { StatementView } from '#ledger/answers/statement.answer.js';
import { completedRun, keywordAgent, observedPerson, observedPost } from '#test/support/observed-network.js';
import { type Answer, type TestService } from '#test/support/service.js';
import { signed, statementTable, table, totalsTable } from './finance-tables.js';
import { workedOut, type Steps } from './worked-service.js';

/** One month of a workspace and of one that a partner pays for, on the real service with a manual clock. */
export type WorkedMonth = {
  readonly january: StatementView;
  readonly february: StatementView;
  readonly partner: StatementView;
  /** The books at the end of January. */
  readonly atMonthEnd: Answer['body'];
  /** The answer of closing January. */
  readonly closed: Answer['body'];
  /** One charge of the signal run, from its movement back to its post. */
  readonly charge: MovementDetail;
  /** The whole ledger as a journal for hledger. */
  readonly journal: string;
};

/** Runs through the month step by step; docs/finance.md describes each step. */
export const workedMonth = (): Promise<WorkedMonth> => workedOut(happen);

async function happen(service: TestService, { ask, on }: Steps): Promise<WorkedMonth> {
  await on('01-02T09:00');
  const own = await service.workspace({ name: 'Acme', credits: undefined });
  const workspace = { workspace_id: own.id };
  await ask('credits.grant', {
    ...workspace,
    credits: 300,
    reason: 'Contract 2026',
    grant_key: 'contract-2026',
  });

  await on('01-05T10:00');
  const posts = ['1', '2', '3', '4', '5'];
  await service.ingest([
    observedPerson('ana'),
    ...posts.map((name) => observedPost(name, 'ana', 'We are moving our CRM', '2026-01-04T09:00:00Z')),
  ]);
  await completedRun(service, own, await keywordAgent(own, 'crm'));
  const [newest] = (await own.call('GET /api/v3/credits/movements?limit=1')).body.data;

  await on('01-12T14:30');
  const held = { ...workspace, product: 'export' };
  await ask('credits.hold', { ...held, key: 'export:1', credits: '12.5' });
  await ask('credits.capture', { ...workspace, key: 'export:1' });
  await on('01-13T08:00');
  await ask('credits.hold', { ...held, key: 'export:2', credits: 20 });
  await on('01-13T08:20');
  await ask('credits.release', { ...workspace, key: 'export:2' });

  await on('01-20T11:00');
  const reason = 'Post was a repost, charged in error';
  await ask('credits.adjust', {
    ...workspace,
    credits: 10,
    reason,
    corrects: newest.id,
    adjust_key: 'ticket-4711',
  });
  await on('01-25T16:00');
  await ask('credits.withdraw', {
    ...workspace,
    credits: 50,
    reason: 'Contract reduced',
    grant_key: 'contract-2026-2',
  });

  const { partner_id } = await ask('partner.create', { name: 'Reseller' });
  const reselling = await service.workspace({
    name: 'Acme EMEA',
    billing: 'partner',
    partner_id,
    credits: undefined,
  });
  const theirs = { workspace_id: reselling.id };
  await on('01-26T09:00');
  for (const [key, credits] of [
    ['export:1', 15],
    ['export:2', 4],
  ] as const) {
    await ask('credits.hold', { ...theirs, key, credits, product: 'export' });
  }
  await ask('credits.capture', { ...theirs, key: 'export:1' });
  await ask('credits.release', { ...theirs, key: 'export:2' });

  await on('01-31T20:00');
  await ask('credits.hold', { ...held, key: 'report:7', credits: '7.5', product: 'report' });
  await on('02-01T06:00');
  await ask('credits.capture', { ...workspace, key: 'report:7' });
  const closed = await ask('ledger.close_month', { ...workspace, month: '2026-01' });
  await on('02-02T09:00');

  const month = { from: '2026-01-01', to: '2026-02-01' };
  return {
    january: await ask('ledger.statement', { ...workspace, ...month }),
    february: await ask('ledger.statement', { ...workspace, from: '2026-02-01', to: '2026-02-02' }),
    partner: await ask('ledger.statement', { ...theirs, ...month }),
    atMonthEnd: await ask('ledger.as_of', { ...workspace, at: '2026-02-01' }),
    closed,
    charge: await ask('ledger.movement', { ...workspace, movement_id: newest.id }),
    journal: await ask('ledger.export', { ...workspace, format: 'journal' }),
  };
}

/** The month as the part of docs/finance.md between its markers. Seals differ between runs and are left out. */
export function workedMonthPage(month: WorkedMonth): string {
  const { january, february, partner, atMonthEnd, charge, closed } = month;
  const [transaction = ''] = /^2026-01-12 \* hold\n(?:.+\n)+/m.exec(month.journal) ?? [];
  return [
    '### The statement of January',
    statementTable(january),
    totalsTable(january),
    '### When January was over',
    table(
      ['Balance', 'Held', 'Captured', 'Granted'],
      [
        [
          atMonthEnd.balance.balance,
          atMonthEnd.balance.held,
          atMonthEnd.balance.captured,
          atMonthEnd.balance.granted,
        ],
      ],
    ),
    table(
      ['Open hold', 'Key', 'Credits', 'Since'],
      atMonthEnd.open_holds.map((hold: Record<string, unknown>) => [
        hold['movement_id'],
        hold['key'],
        hold['credits'],
        hold['created_at'],
      ]),
    ),
    `January was closed on the first of February: sealed at revision ${closed.revision} with a closing of ${closed.closing} credits.`,
    '### The first of February',
    statementTable(february),
    '### Why was this charged?',
    table(
      ['Question', 'Answer'],
      [
        ['Movement', `${charge.id}: ${charge.credits} credits, ${charge.product}, ${charge.status}`],
        ['Cause', `${charge.cause.kind}, ${charge.cause.subject}, key \`${charge.key}\``],
        ['Agent', `${charge.origin.agent?.id} ${charge.origin.agent?.name}`],
        ['Run', `${charge.origin.run?.id}, ${charge.origin.run?.stage}`],
        ['Signal', `${charge.origin.signal?.id}, ${charge.origin.signal?.source_url}`],
        ...charge.entries.map((entry) => [
          `Entry ${entry.revision}`,
          `${entry.type}, ${entry.recorded_at}, by ${entry.actor.kind} ${entry.actor.id}`,
        ]),
        ...charge.corrections.map(({ movement_id, credits, reason }) => [
          `Correction ${movement_id}`,
          `${signed(credits)} credits: ${reason}`,
        ]),
      ],
    ),
    '### What a partner pays',
    statementTable(partner),
    totalsTable(partner),
    '### The hold of 12 January in the journal',
    `\`\`\`\n${transaction.trimEnd()}\n\`\`\``,
  ].join('\n\n');
}
