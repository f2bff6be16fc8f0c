import type { Commands } from '#kernel/commands/commands.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import type { PeriodSeal } from '#ledger/domain/account-state.js';
import { sealOfPeriod } from '#ledger/domain/close-month.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { ledgerPeriod, type LedgerHost } from './ledger-history.js';
import type { Moment } from './moment.js';
import { readStatement, type Statement, type StatementRange } from './statement.js';

/** The period of a statement, and the moment as of which it is read. */
export type StatementAt = StatementRange & { readonly asOf: Moment };

/** The statement of a period with all of its rows. `head`: the last entry of the ledger. */
export async function wholeStatement(
  host: LedgerHost,
  head: StoredEvent,
  workspaceId: number,
  range: StatementAt,
  onProgress: OnProgress,
): Promise<Statement> {
  const period = { workspaceId, from: range.from, asOf: range.asOf };
  const { history, sums } = await ledgerPeriod(host, head, period, onProgress);
  return readStatement(workspaceId, history, range, sums);
}

/** The seal that a period has now; undefined unless it is exactly one closed month. */
export const presentSeal = (
  commands: Pick<Commands, 'load'>,
  workspaceId: number,
  { from, to }: Pick<StatementRange, 'from' | 'to'>,
): Promise<PeriodSeal | undefined> =>
  commands.load(creditAccount, String(workspaceId), (account) => sealOfPeriod(account, from, to));
