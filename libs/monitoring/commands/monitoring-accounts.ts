import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Amount } from '#kernel/values/amounts.js';
import { monthAfter } from '#kernel/values/calendar-months.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Id, Month, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { numberedKey } from '#ledger/domain/charges.js';
import { REFUSAL_REASONS } from '#monitoring/domain/account-monitoring.events.js';
import { calendarMonthOf, monthKey, monthKeyOf } from '#monitoring/domain/months-facts.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import {
  creditMovements,
  type CreditMovementDocument,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { personaKey, personas } from '#projections/lists/personas/personas.projection.js';
import {
  monitoredUnits,
  type MonitoredUnitDocument,
} from '#projections/monitoring/monitored-units/monitored-units.projection.js';

const AT_MOST = 100;
const MOST_MONTHS = 12;
const DEFAULT_MONTHS = 6;

const MonthCell = Type.Object({
  month: Type.String(),
  /**
   * paid: a month that began then was paid; covered: by a month that began before, or a free one; none: not
   * requested.
   */
  state: OneOf('paid', 'covered', 'not_covered', 'none'),
  movement_id: Nullable(Id),
  credits: Nullable(Amount),
  /** Why it was not covered, for a part of the month at least; null: it was covered, or not requested. */
  reason: Nullable(OneOf(...REFUSAL_REASONS)),
});
type MonthCell = Static<typeof MonthCell>;

export const monitoringAccounts = operatorCommand({
  name: 'monitoring.accounts',
  forFinance: true,
  summary:
    'List monitored accounts by calendar month: paid, covered, or not covered and why; one row per account and persona',
  input: Type.Object({
    workspace_id: WorkspaceId,
    from: Type.Optional(
      described('first month, as 2026-01; default: such that the current month is the last', Month),
    ),
    months: Type.Optional(
      described('number of months; default: 6', Type.Integer({ minimum: 1, maximum: MOST_MONTHS })),
    ),
    persona_id: Type.Optional(described('only accounts of this persona', Id)),
    after_company: Type.Optional(described('continue after this company', Id)),
    after_persona: Type.Optional(described('continue after this persona of the company', Id)),
    limit: Type.Optional(
      described('largest number of rows; default: 50', Type.Integer({ minimum: 1, maximum: AT_MOST })),
    ),
  }),
  output: Type.Object({
    months: Type.Array(Type.String()),
    accounts: Type.Array(
      Type.Object({
        company_id: Id,
        company_name: Nullable(Type.String()),
        persona_id: Id,
        persona_name: Nullable(Type.String()),
        status: OneOf('monitored', 'not_covered', 'stopped'),
        covered_until: Nullable(Timestamp),
        months: Type.Array(MonthCell),
      }),
    ),
    /** The values for `after_company` and `after_persona` on the next page; null on the last page. */
    next: Nullable(Type.Object({ company_id: Id, persona_id: Id })),
  }),
  async run({ readModels, requireWorkspace, clock }, asked) {
    const { workspace_id: workspaceId, persona_id: personaId, limit = 50 } = asked;
    await requireWorkspace(workspaceId);
    const months = monthsOf(asked, clock.now());
    const found = await readModels.find(monitoredUnits, {
      where: { workspaceId, ...(personaId !== undefined && { personaId }) },
      ...pageOf(asked),
      limit: limit + 1,
    });
    const units = found.slice(0, limit);
    const [names, tags, payments] = await Promise.all([
      readModels.getMany(
        companies,
        units.map((unit) => companyKey(unit.companyId)),
      ),
      readModels.getMany(
        personas,
        units.map((unit) => personaKey(workspaceId, unit.personaId)),
      ),
      paymentsOf(
        readModels,
        workspaceId,
        units.flatMap(({ companyId, personaId: of }) =>
          months.map((month) => monthKey(companyId, of, month)),
        ),
      ),
    ]);
    const now = clock.now().toISOString();
    const last = units.at(-1);
    return {
      months,
      accounts: units.map((unit) => ({
        company_id: unit.companyId,
        company_name: names.get(companyKey(unit.companyId))?.facts.name ?? null,
        persona_id: unit.personaId,
        persona_name: tags.get(personaKey(workspaceId, unit.personaId))?.tag ?? null,
        status: unit.status,
        covered_until: unit.coveredUntil,
        months: months.map((month) =>
          cellOf(unit, month, payments.get(monthKey(unit.companyId, unit.personaId, month)), now),
        ),
      })),
      next:
        found.length > limit && last !== undefined
          ? { company_id: last.companyId, persona_id: last.personaId }
          : null,
    };
  },
});

type Asked = {
  readonly from?: string;
  readonly months?: number;
  readonly persona_id?: number;
  readonly after_company?: number;
  readonly after_persona?: number;
};

/** The order of an index, and the beginning of the page in it. */
function pageOf({ persona_id, after_company, after_persona }: Asked) {
  if (persona_id !== undefined) {
    return {
      sort: [['companyId', 'asc']] as const,
      ...(after_company === undefined ? {} : { after: [after_company] }),
    };
  }
  if (after_company !== undefined && after_persona === undefined) {
    throw invalidInput({ errors: fieldError('after_persona', 'is required with after_company') });
  }
  return {
    sort: [
      ['companyId', 'asc'],
      ['personaId', 'asc'],
    ] as const,
    ...(after_company === undefined ? {} : { after: [after_company, after_persona ?? 0] }),
  };
}

/** The first moments of the months of a row, as `2026-01`. */
function monthsOf({ from, months: count = DEFAULT_MONTHS }: Asked, now: Date): readonly string[] {
  const present = calendarMonthOf(now.toISOString());
  const first = from ?? monthAfter(present, 1 - count) ?? present;
  const months = Array.from({ length: count }, (_, index) => monthAfter(first, index));
  return months.filter((month) => month !== null);
}

/**
 * The payments of months, by the keys of the months. Where a key was used for something else, by an operator, the payment
 * is under the key with a number (`chargeInAdvance`).
 */
async function paymentsOf(
  readModels: ReadModels,
  workspaceId: number,
  monthKeys: readonly string[],
): Promise<ReadonlyMap<string, CreditMovementDocument>> {
  const payments = new Map<string, CreditMovementDocument>();
  let keys = monthKeys;
  for (let attempt = 1; keys.length > 0; attempt += 1) {
    const found = await readModels.find(creditMovements, { where: { workspaceId, key: { in: keys } } });
    for (const movement of found.filter(isPaid)) payments.set(monthKeyOf(movement.key), movement);
    keys = found
      .filter((movement) => !isPaid(movement))
      .map(({ key }) => numberedKey(monthKeyOf(key), attempt));
  }
  return payments;
}

const isPaid = ({ causeKind, status }: CreditMovementDocument): boolean =>
  causeKind === 'monitoring' && status !== 'released';

function cellOf(
  unit: MonitoredUnitDocument,
  month: string,
  movement: CreditMovementDocument | undefined,
  now: string,
): MonthCell {
  // As text, the second one is after every time of the month, and before the first one of the next month.
  const [begins, ends] = [`${month}-01T00:00:00.000Z`, `${month}-32`];
  const meets = (from: string, until: string | null): boolean =>
    from < ends && (until === null ? begins <= now : until > begins);
  const gap = unit.gaps.findLast(({ from, until }) => meets(from, until));
  const { status, lapsesAt } = unit;
  // A due unit that was not tried yet counts as covered until it is (OP-27).
  const isDue = status === 'monitored' && lapsesAt !== null && lapsesAt <= now && meets(lapsesAt, null);
  const isCovered = isDue || unit.covered.some(({ from, until }) => meets(from, until));
  const state =
    movement !== undefined ? 'paid' : isCovered ? 'covered' : gap !== undefined ? 'not_covered' : 'none';
  return {
    month,
    state,
    movement_id: movement?.id ?? null,
    credits: movement === undefined ? null : toJsonNumber(fromStored(movement.credits)),
    reason: gap?.reason ?? null,
  };
}
