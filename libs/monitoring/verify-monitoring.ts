import { formatCredits, MICROS_PER_CREDIT, type Credits } from '#kernel/values/credits.js';
import { backgroundTurn } from '#kernel/commands/background-turn.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { eachPage } from '#kernel/projections/each-page.js';
import { inPieces } from '#kernel/values/pieces.js';
import { available } from '#ledger/domain/books.js';
import { billingOf, creditAccount } from '#ledger/domain/credit-account.js';
import { list } from '#lists/domain/lists/list.js';
import { monitoredBy } from '#lists/domain/lists/list-monitoring.js';
import { notCovered } from './domain/coverage-facts.js';
import { sourceKey } from './domain/monitoring.events.js';
import { partner } from '#catalogue/domain/partners/partner.js';
import { resolvePrice } from '#catalogue/domain/prices/price-resolution.js';
import { priceList } from '#catalogue/domain/prices/prices.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import {
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';
import type { ProcessHost } from '#process-engine/process.js';
import { businessUnitsOf } from './business-units.js';
import { readHistories } from './read-histories.js';
import {
  monthDifferences,
  recountUnit,
  type RecountDifference,
  type Recounted,
  type UnitHistory,
} from './recount.js';
import { monitoringSummary } from './summary.js';

export type Verified = { readonly units: number; readonly differences: readonly RecountDifference[] };

type VerifyHost = Pick<ProcessHost, 'commands' | 'readModels' | 'clock'> & {
  readonly eventStore: Pick<EventStore, 'readAll'>;
};

/**
 * Recomputes requests, coverage and the summary from events alone, and reports every difference to the service's
 * answers; compares the months of each account with one another and with the ledger (OPS-23). Pending work is
 * reported as a difference until it is done.
 */
export async function verifyMonitoring(host: VerifyHost, workspaceId: number): Promise<Verified> {
  const histories = await readHistories(host.eventStore, workspaceId);
  const recounted: RecountedUnit[] = [];
  const ofMonths: RecountDifference[] = [];
  await forEach(histories, (history) => {
    recounted.push({ history, ...recountUnit(history) });
    ofMonths.push(...monthDifferences(history));
  });
  const differences = [
    ...(await wishDifferences(host, workspaceId, histories)),
    ...(await unitDifferences(host, workspaceId, recounted)),
    ...ofMonths,
    ...(await summaryDifferences(host, workspaceId, recounted)),
  ];
  return { units: histories.length, differences };
}

/** Other work of the event loop runs between two pieces: a workspace may have a hundred thousand units. */
const UNITS_AT_ONCE = 500;

async function forEach<Item>(items: readonly Item[], work: (item: Item) => void): Promise<void> {
  for (const piece of inPieces(items, UNITS_AT_ONCE)) {
    for (const item of piece) work(item);
    await backgroundTurn();
  }
}

type RecountedUnit = Recounted & { readonly history: UnitHistory };

const nameOf = ({
  companyId,
  personaId,
}: {
  readonly companyId: number;
  readonly personaId: number;
}): string => `company ${companyId}, persona ${personaId}`;

/** Compares the requests of lists and picks with the events of the accounts. */
async function wishDifferences(
  { commands, eventStore }: VerifyHost,
  workspaceId: number,
  histories: readonly UnitHistory[],
): Promise<readonly RecountDifference[]> {
  const active = await businessUnitsOf(commands, workspaceId);
  const expected = new Set<string>();
  for (const listId of await listsOf(eventStore, workspaceId)) {
    const { memberIds, named } = await commands.load(list, workspaceScoped(workspaceId, listId), (state) => ({
      memberIds: monitoredBy(state).map(({ memberId }) => memberId),
      named: state.facts?.personaIds ?? [],
    }));
    const personaIds = named.length === 0 ? active : active.filter((id) => named.includes(id));
    await forEach(memberIds, (memberId) => {
      const source = sourceKey({ kind: 'list', listId, memberId });
      for (const personaId of personaIds) expected.add(`${source}, persona ${personaId}`);
    });
  }
  const picks = await commands.load(topAccounts, String(workspaceId), ({ accounts }) =>
    [...accounts].flatMap(([accountId, { pickedFor }]) =>
      pickedFor.map((personaId) => ({ accountId, personaId })),
    ),
  );
  await forEach(picks, ({ accountId, personaId }) => {
    if (active.includes(personaId))
      expected.add(`${sourceKey({ kind: 'pick', accountId })}, persona ${personaId}`);
  });
  const found = new Set<string>();
  await forEach(histories, ({ wishes, personaId }) => {
    for (const source of openSources(wishes)) found.add(`${source}, persona ${personaId}`);
  });
  const differences: RecountDifference[] = [];
  await forEach([...expected], (wish) => {
    if (!found.has(wish)) differences.push(differing(wish, 'wanted', 'not wanted'));
  });
  await forEach([...found], (wish) => {
    if (!expected.has(wish)) differences.push(differing(wish, 'not wanted', 'wanted'));
  });
  return differences;
}

function openSources(wishes: UnitHistory['wishes']): ReadonlySet<string> {
  const open = new Set<string>();
  for (const { source, isWanted } of wishes) {
    if (isWanted) open.add(source);
    else open.delete(source);
  }
  return open;
}

/** Lists on which monitoring was ever set. */
async function listsOf(
  eventStore: VerifyHost['eventStore'],
  workspaceId: number,
): Promise<ReadonlySet<number>> {
  const listIds = new Set<number>();
  const types = ['ListMonitoringSet', 'MemberMonitoringSet'];
  for await (const { events } of eventStore.readAll({ types })) {
    for (const { metadata, data } of events) {
      if (metadata['workspaceId'] === String(workspaceId)) listIds.add(Number(data['listId']));
    }
  }
  return listIds;
}

async function unitDifferences(
  { readModels }: VerifyHost,
  workspaceId: number,
  recounted: readonly RecountedUnit[],
): Promise<readonly RecountDifference[]> {
  const left = new Map<string, RecountedUnit>();
  await forEach(recounted, (unit) => void left.set(nameOf(unit.history), unit));
  const differences: RecountDifference[] = [];
  const pages = eachPage(readModels, monitoredUnits, {
    where: { workspaceId },
    sort: [
      ['companyId', 'asc'],
      ['personaId', 'asc'],
    ],
    limit: UNITS_AT_ONCE,
  });
  for await (const page of pages) {
    for (const unit of page) {
      const name = nameOf(unit);
      const expected = left.get(name);
      left.delete(name);
      if (expected === undefined) differences.push(differing(name, null, 'there'));
      else differences.push(...unitDifferencesOf(name, expected, unit));
    }
  }
  return [...differences, ...[...left].map(([name, { status }]) => differing(name, status, null))];
}

const unitDifferencesOf = (
  name: string,
  { status, lapsesAt, coveredUntil, reason }: Recounted,
  unit: MonitoredUnitDocument,
): readonly RecountDifference[] =>
  [
    differing(`status of ${name}`, status, unit.status),
    differing(`lapse of ${name}`, lapsesAt, unit.lapsesAt),
    differing(`covered_until of ${name}`, coveredUntil, unit.coveredUntil),
    differing(`not_covered_reason of ${name}`, reason, notCovered(unit)?.reason ?? null),
  ].filter(({ expected, found }) => expected !== found);

const differing = (what: string, expected: string | null, found: string | null): RecountDifference => ({
  what,
  expected,
  found,
});

async function summaryDifferences(
  host: VerifyHost,
  workspaceId: number,
  recounted: readonly RecountedUnit[],
): Promise<readonly RecountDifference[]> {
  const [active, money, shown] = await Promise.all([
    businessUnitsOf(host.commands, workspaceId),
    moneyOf(host.commands, workspaceId),
    monitoringSummary(host.readModels, workspaceId, null, host.clock.now()),
  ]);
  const counts = new Map<string, number>();
  const count = (status: Recounted['status'], personaId: number): number =>
    counts.get(`${status} ${personaId}`) ?? 0;
  const total = (status: Recounted['status']): number =>
    active.reduce((sum, personaId) => sum + count(status, personaId), 0);
  let since: string | null = null;
  let unpaid = 0;
  await forEach(recounted, ({ history: { personaId }, status, lapsesAt, reason }) => {
    counts.set(`${status} ${personaId}`, count(status, personaId) + 1);
    if (status === 'not_covered' && (since === null || (lapsesAt ?? '') < since)) since = lapsesAt ?? '';
    if (reason === 'credits' && active.includes(personaId)) unpaid += 1;
  });
  const missing = money.price * BigInt(unpaid) - money.balance;
  const whole = (missing + MICROS_PER_CREDIT - 1n) / MICROS_PER_CREDIT;
  const shortfall = money.isSelf && missing > 0n ? whole : 0n;
  const compared: readonly (readonly [string, string | null, string | null])[] = [
    ['price', formatCredits(money.price), formatCredits(shown?.price ?? -1n)],
    ['monitored_count', String(total('monitored')), String(shown?.monitored)],
    ['not_covered_count', String(total('not_covered')), String(shown?.notCovered)],
    ['not_covered_since', since, shown?.notCoveredSince ?? null],
    ['renewal_shortfall', String(shortfall), String(shown?.shortfallCredits)],
    ...active.flatMap((personaId): (readonly [string, string, string])[] => {
      const unit = shown?.byPersona.find((other) => other.personaId === personaId);
      return [
        [
          `monitored_count of persona ${personaId}`,
          String(count('monitored', personaId)),
          String(unit?.monitored),
        ],
        [
          `not_covered_count of persona ${personaId}`,
          String(count('not_covered', personaId)),
          String(unit?.notCovered),
        ],
      ];
    }),
  ];
  return compared
    .filter(([, expected, found]) => expected !== found)
    .map(([what, expected, found]) => differing(what, expected, found));
}

/** The price of a month and the available credits, from the streams that decide them. */
async function moneyOf(
  commands: Commands,
  workspaceId: number,
): Promise<{ readonly price: Credits; readonly balance: Credits; readonly isSelf: boolean }> {
  const { billing, balance } = await commands.load(creditAccount, String(workspaceId), (account) => ({
    billing: billingOf(account),
    balance: available(account.books),
  }));
  const isSelf = billing.mode === 'self';
  if (billing.mode === 'exempt') return { price: 0n, balance, isSelf };
  const prices = await commands.load(priceList, '', (state) =>
    Object.fromEntries([...state.prices].map(([item, { credits }]) => [item, credits])),
  );
  const rates =
    billing.mode === 'partner'
      ? await commands.load(partner, String(billing.partnerId), (state) => Object.fromEntries(state.rates))
      : null;
  return { price: resolvePrice(prices, rates, 'bucket:essential') ?? 0n, balance, isSelf };
}
