import { fromStored, MICROS_PER_CREDIT, toJsonNumber } from '#kernel/values/credits.js';
import { Day, Id, Nullable, OneOf, Type, type Static } from '#kernel/values/schema.js';
import { Amount } from '#kernel/values/amounts.js';
import {
  availableCredits,
  creditBalances,
  expiringAfter,
  type CreditBalanceDocument,
} from '#projections/ledger/credit-balances/credit-balances.projection.js';
import {
  creditDayKey,
  creditDays,
  OLD_HOLDS,
} from '#projections/ledger/credit-days/credit-days.projection.js';
import {
  creditOutlooks,
  type CreditOutlookDocument,
} from '#projections/ledger/credit-outlooks/credit-outlooks.projection.js';
import { workspaces, type WorkspaceDocument } from '#projections/access/workspaces/workspaces.projection.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { DAY_MS } from '#kernel/values/durations.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, PartnerId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, pageOf, readPage, type AskedPage } from '#ops/support/pages.js';

const ALERTS = ['blocked', 'empty', 'runs_out', 'expiring'] as const;
const SPEND_DAYS = 28;

const WorkspaceRow = Type.Object({
  workspace_id: Id,
  name: Type.String(),
  /** null: it is being provisioned. */
  billing: Nullable(OneOf('self', 'partner', 'exempt')),
  partner_id: Nullable(Id),
  blocked: Type.Boolean(),
  balance: Amount,
  held: Amount,
  /** The day on which the balance is forecast to end, at the last check; null: none. */
  runs_out_on: Nullable(Day),
  /** It is blocked; it pays and has less than one credit; its balance ends, or credits expire, within 28 or 7 days. */
  alerts: Type.Array(OneOf(...ALERTS)),
  /** The captured credits of each of the last 28 days, today last; present on request. */
  spend: Type.Optional(Type.Array(Amount)),
});

const byRunOut = fieldError(
  'partner_id',
  'cannot be combined with by run-out: only a balance from which the workspace itself pays runs out',
);

/** One workspace with the data of its row. */
type Known = {
  readonly workspace: WorkspaceDocument;
  readonly balance: CreditBalanceDocument | undefined;
  readonly outlook: CreditOutlookDocument | undefined;
};

const Input = Type.Object({
  partner_id: Type.Optional(PartnerId),
  by: Type.Optional(
    described(
      'id (default), name, balance or held (largest first), or run-out (balances that end, soonest first)',
      OneOf('id', 'name', 'balance', 'held', 'run-out'),
    ),
  ),
  named: Type.Optional(
    described('part of the name, in any case', Type.String({ minLength: 1, maxLength: 200 })),
  ),
  billing: Type.Optional(described('who pays', OneOf('self', 'partner', 'exempt'))),
  alert: Type.Optional(
    described('only workspaces with this alert, or with any alert', OneOf('any', ...ALERTS)),
  ),
  with: Type.Optional(
    described('spend: show the captured credits of each of the last 28 days', OneOf('spend')),
  ),
  ...pageInput,
});
type By = NonNullable<Static<typeof Input>['by']>;

export const workspaceList = operatorCommand({
  name: 'workspace.list',
  forFinance: true,
  summary: 'List the workspaces with their available credits and the forecast end of the balance',
  input: Input,
  output: Type.Object({ ...PageAnswer, workspaces: Type.Array(WorkspaceRow) }),
  async run({ readModels, clock }, { partner_id: partnerId, by = 'id', with: added, ...asked }) {
    const now = clock.now();
    if (by === 'run-out' && partnerId !== undefined) throw invalidInput({ errors: byRunOut });
    const needsAll =
      by === 'name' ||
      by === 'balance' ||
      by === 'held' ||
      asked.named !== undefined ||
      asked.billing !== undefined ||
      asked.alert !== undefined;
    const { rows: found, numbers } = needsAll
      ? pageOf(await chosen(readModels, { ...asked, by, partnerId }, now), asked)
      : await pageInStore(readModels, by, partnerId, asked);
    const rows = await withMoney(readModels, found);
    const spend =
      added === undefined
        ? null
        : await spendOf(
            readModels,
            rows.map(({ workspace }) => workspace.id),
            now,
          );
    return {
      ...numbers,
      workspaces: rows.map((known) => {
        const { workspace, balance, outlook } = known;
        return {
          workspace_id: workspace.id,
          name: workspace.name,
          billing: workspace.billing,
          partner_id: workspace.partnerId,
          blocked: workspace.blocked,
          ...spendable(balance, now),
          runs_out_on: outlook?.endsOn ?? null,
          alerts: alertsOf(known, now),
          ...(spend === null ? {} : { spend: spend.get(workspace.id) ?? [] }),
        };
      }),
    };
  },
});

/** Workspaces with the money data in `needed`: filtering and sorting all of them needs less data than a page. */
async function withMoney(
  readModels: ReadModels,
  found: readonly WorkspaceDocument[],
  needed: { readonly balances: boolean; readonly outlooks: boolean } = { balances: true, outlooks: true },
): Promise<readonly Known[]> {
  const keys = found.map(({ id }) => String(id));
  const [balances, outlooks] = await Promise.all([
    readModels.getMany(creditBalances, needed.balances ? keys : []),
    readModels.getMany(creditOutlooks, needed.outlooks ? keys : []),
  ]);
  return found.map((workspace) => ({
    workspace,
    balance: balances.get(String(workspace.id)),
    outlook: outlooks.get(String(workspace.id)),
  }));
}

/** A page in the order of an index. */
async function pageInStore(readModels: ReadModels, by: By, partnerId: number | undefined, asked: AskedPage) {
  if (by === 'run-out') return soonestFirst(readModels, asked);
  const where = partnerId === undefined ? {} : { where: { partnerId } };
  return readPage(readModels, workspaces, { ...where, sort: [['id', 'asc']] }, asked);
}

type Chosen = Pick<Static<typeof Input>, 'named' | 'billing' | 'alert'> & {
  readonly by: By;
  readonly partnerId: number | undefined;
};

/** A page in an order without an index: all workspaces are read. */
async function chosen(
  readModels: ReadModels,
  { by, partnerId, named, billing, alert }: Chosen,
  now: Date,
): Promise<readonly WorkspaceDocument[]> {
  const all = await readModels.find(workspaces, {
    ...(partnerId !== undefined && { where: { partnerId } }),
    sort: [['id', 'asc']],
  });
  const text = named?.toLowerCase() ?? '';
  const fitting = all.filter(
    (each) => each.name.toLowerCase().includes(text) && (billing === undefined || each.billing === billing),
  );
  const wanted = await withMoney(readModels, fitting, {
    balances: alert !== undefined || by === 'balance' || by === 'held',
    outlooks: alert !== undefined || by === 'run-out',
  });
  const alarming = wanted.filter((known) => {
    if (alert === undefined) return true;
    const alerts: readonly string[] = alertsOf(known, now);
    return alert === 'any' ? alerts.length > 0 : alerts.includes(alert);
  });
  const free = ({ balance }: Known): bigint => (balance === undefined ? 0n : availableCredits(balance, now));
  const held = ({ balance }: Known): bigint => fromStored(balance?.held ?? '0');
  const greatestOf = (amountOf: (known: Known) => bigint): readonly Known[] =>
    alarming
      .map((known) => ({ known, amount: amountOf(known) }))
      .toSorted((one, other) => (one.amount === other.amount ? 0 : one.amount > other.amount ? -1 : 1))
      .map(({ known }) => known);
  const smallestFirst = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
  const inOrder = (): readonly Known[] => {
    switch (by) {
      case 'id':
        return alarming;
      case 'name':
        return alarming.toSorted((one, other) =>
          smallestFirst(one.workspace.name.toLowerCase(), other.workspace.name.toLowerCase()),
        );
      case 'balance':
        return greatestOf(free);
      case 'held':
        return greatestOf(held);
      case 'run-out':
        return alarming
          .filter(({ outlook }) => (outlook?.endsOn ?? null) !== null)
          .toSorted((one, other) => smallestFirst(one.outlook?.endsOn ?? '', other.outlook?.endsOn ?? ''));
    }
  };
  return inOrder().map(({ workspace }) => workspace);
}

const WITHIN_DAYS = { runs_out: 28, expiring: 7 } as const;

function alertsOf({ workspace, balance, outlook }: Known, now: Date): readonly (typeof ALERTS)[number][] {
  const until = (days: number): string => new Date(now.getTime() + days * DAY_MS).toISOString();
  const endsOn = outlook?.endsOn ?? null;
  const [soonest] = balance === undefined ? [] : expiringAfter(balance, now.toISOString());
  const isOn = {
    blocked: workspace.blocked,
    empty:
      workspace.billing === 'self' &&
      balance !== undefined &&
      availableCredits(balance, now) < MICROS_PER_CREDIT,
    runs_out: endsOn !== null && endsOn <= until(WITHIN_DAYS.runs_out).slice(0, 10),
    expiring: soonest !== undefined && soonest[0] <= until(WITHIN_DAYS.expiring),
  };
  return ALERTS.filter((alert) => isOn[alert]);
}

/** The captured credits of each workspace on each of the last days, from kept sums. */
async function spendOf(
  readModels: ReadModels,
  ids: readonly number[],
  now: Date,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const days = Array.from({ length: SPEND_DAYS }, (_, index) =>
    new Date(now.getTime() - (SPEND_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
  const sums = await readModels.getMany(
    creditDays,
    ids.flatMap((id) => [OLD_HOLDS, ...days].map((day) => creditDayKey(id, day))),
  );
  return new Map(
    ids.map((id) => {
      const ends = sums.get(creditDayKey(id, OLD_HOLDS))?.ends;
      return [
        id,
        days.map((day) =>
          toJsonNumber(
            fromStored(sums.get(creditDayKey(id, day))?.captured ?? '0') +
              fromStored(ends?.[day]?.captured ?? '0'),
          ),
        ),
      ];
    }),
  );
}

/** A page of the workspaces whose balance is forecast to end. */
async function soonestFirst(
  readModels: ReadModels,
  asked: AskedPage,
): Promise<{
  readonly rows: readonly WorkspaceDocument[];
  readonly numbers: Awaited<ReturnType<typeof readPage>>['numbers'];
}> {
  const sort = [
    ['endsOn', 'asc'],
    ['workspaceId', 'asc'],
  ] as const;
  const ending = { where: { endsOn: { gt: '' } }, sort };
  const page = await readPage<CreditOutlookDocument>(readModels, creditOutlooks, ending, asked);
  const keys = page.rows.map(({ workspaceId }) => String(workspaceId));
  const found = await readModels.getMany(workspaces, keys);
  return { rows: keys.flatMap((key) => found.get(key) ?? []), numbers: page.numbers };
}

function spendable(balance: CreditBalanceDocument | undefined, now: Date) {
  if (balance === undefined) return { balance: 0, held: 0 };
  return {
    balance: toJsonNumber(availableCredits(balance, now)),
    held: toJsonNumber(fromStored(balance.held)),
  };
}
