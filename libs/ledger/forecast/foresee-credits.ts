import type { Commands } from '#kernel/commands/commands.js';
import type { Clock } from '#kernel/ports/clock.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { fromStored, type Credits } from '#kernel/values/credits.js';
import { DAY_MS } from '#kernel/values/durations.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { available } from '#ledger/domain/books.js';
import { chargesMark, creditAccount, creditAccountUnknown } from '#ledger/domain/credit-account.js';
import { plainRest, type SpendableLot } from '#ledger/domain/lots.js';
import { dueAt, expiryOfDue } from '#ledger/domain/recurring-facts.js';
import type { LedgerReader } from '#ledger/history/ledger-reader.js';
import { burnOf } from './burn.js';
import { forecastBalance, type Forecast, type ForecastInput, type ForeseenGrant } from './forecast.js';

export type MonthsHost = { readonly commands: Pick<Commands, 'load'>; readonly readModels: ReadModels };

/** The months of a workspace that fall due before a time, with their cost; the monitoring feature supplies it. */
export type MonthsDue = (
  host: MonthsHost,
  workspaceId: number,
  now: string,
  until: string,
) => Promise<ForecastInput['due']>;

export type ForecastHost = MonthsHost & { readonly ledgers: LedgerReader; readonly clock: Clock };

const FORECAST_DAYS = 90;

/** The part of a forecast that the ledger knows, and the `chargesMark` of the ledger. */
export type LedgerOutlook = Pick<ForecastInput, 'lots' | 'heldOfRule' | 'grants' | 'isPaid'> & {
  readonly mark: bigint;
};

/** A forecast with its inputs. */
export type Foreseen = Forecast & {
  readonly burn: Credits;
  readonly balance: Credits;
  readonly now: string;
  readonly mark: bigint;
};

/** The balance of the next 90 days (LOW-02), including today. Throws `creditAccountUnknown`. */
export async function foreseeCredits(
  host: ForecastHost,
  monthsDue: MonthsDue,
  workspaceId: number,
): Promise<Foreseen> {
  const at = host.clock.now();
  const now = at.toISOString();
  const midnight = Date.parse(`${now.slice(0, 10)}T00:00:00.000Z`);
  const until = new Date(midnight + FORECAST_DAYS * DAY_MS).toISOString();
  const head = await host.ledgers.head(workspaceId);
  if (head === null) throw creditAccountUnknown();
  const { mark, ...outlook } = await ledgerOutlook(host.commands, workspaceId, now, until);
  const burn = await burnOf(host.ledgers, workspaceId, head, at);
  const due = outlook.isPaid ? await monthsDue(host, workspaceId, now, until) : [];
  const balance = outlook.lots.reduce((sum, { free }) => sum + free, 0n);
  return { ...forecastBalance({ ...outlook, burn, due, now, until }), burn, balance, now, mark };
}

/** The available credits by lot, and the recurring grants due before a time. */
export function ledgerOutlook(
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
  now: string,
  until: string,
): Promise<LedgerOutlook> {
  return commands.load(creditAccount, String(workspaceId), (account) => {
    const { books } = account;
    const lots: SpendableLot[] = [...books.lots.values()].map(({ id, rule, grantedAt, free, ...terms }) => ({
      id,
      ...(rule === undefined ? {} : { rule }),
      expiresAt: terms.expiresAt,
      priority: terms.priority,
      promotional: terms.promotional,
      grantedAt,
      free,
    }));
    const heldOfRule = new Map<number, Credits>();
    for (const { rule, held } of books.lots.values())
      if (rule !== undefined) heldOfRule.set(rule, (heldOfRule.get(rule) ?? 0n) + held);
    return {
      lots: [...lots, plainRest(books.lots, available(books))],
      heldOfRule: [...heldOfRule],
      grants: grantsBefore(account, now, until),
      isPaid: books.billing?.mode === 'self',
      mark: chargesMark(account),
    };
  });
}

function grantsBefore(
  { recurring }: Pick<CreditAccount, 'recurring'>,
  now: string,
  until: string,
): readonly ForeseenGrant[] {
  const grants: ForeseenGrant[] = [];
  for (const rule of recurring.open.values()) {
    const { priority, promotional, ceiling } = rule;
    for (let index = rule.passed; ; index += 1) {
      const at = dueAt(rule, index);
      if (at === null || at >= until) break;
      const expiresAt = expiryOfDue(rule, at);
      if (expiresAt !== null && expiresAt <= now) continue;
      const terms = { expiresAt, priority, promotional, grantedAt: at };
      grants.push({
        at: at < now ? now : at,
        credits: fromStored(rule.credits),
        // Sorts after every existing movement.
        lot: { ...terms, id: Number.MAX_SAFE_INTEGER, rule: rule.rule },
        ceiling: ceiling === undefined ? null : fromStored(ceiling),
      });
    }
  }
  return grants;
}
