import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { fieldError } from '#kernel/values/refusal.js';
import { Id, Month, Type } from '#kernel/values/schema.js';
import {
  endOfMonth,
  isMonthOver,
  monthNotOver,
  monthSealedOtherwise,
  sealMonth,
  type MonthEnd,
} from '#ledger/domain/close-month.js';
import { dueLots } from '#ledger/domain/lots.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { readMonthEnd } from '#ledger/history/month-end.js';
import { PeriodSealAnswer, sealView } from '#ledger/answers/statement.answer.js';
import { decisionTime } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { decideOnceRead } from '#ledger/history/decide-once-read.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { headAfterExpiries, type ExpiryHost } from '#ledger/history/record-expiries.js';
import { ledgerHead } from '#ledger/history/ledger-history.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const ledgerCloseMonth = operatorCommand({
  name: 'ledger.close_month',
  forFinance: true,
  summary:
    'Seal an ended month: closing balance, last entry and hash; later corrections are dated at the time of the correction',
  input: Type.Object({
    workspace_id: WorkspaceId,
    month: described('2026-01, in UTC', Month),
    hash: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'of the statement that was approved' }),
    ),
  }),
  output: Type.Object({ workspace_id: Id, ...PeriodSealAnswer.properties, replayed: Type.Boolean() }),
  async run(host, { workspace_id: workspaceId, month, hash: approved }, context) {
    const readEnd = async (): Promise<ReadEnd> => {
      const last = await ledgerHead(host, workspaceId);
      // A clock that went back does not reopen a month: later entries show that it is over.
      const now = decisionTime({ updatedAt: recordedAtOf(last) }, host.clock.now().toISOString());
      // The end of the current month would be outdated at once. Checked before expiries are recorded (INV-07).
      if (!isMonthOver(month, now)) {
        throw monthNotOver({ errors: fieldError('month', `is over at ${endOfMonth(month)}`) });
      }
      // Judged before expiries are recorded, as far as the ledger goes now (INV-07).
      const before = await readMonthEnd(host.ledgers, workspaceId, last, month);
      if (approved !== undefined) {
        requireApproved(approved, before);
        await requireNoneDue(host, workspaceId, last, month);
      }
      const { head } = await headAfterExpiries(host, workspaceId, last);
      const end = head === last ? before : await readMonthEnd(host.ledgers, workspaceId, head, month);
      if (approved !== undefined) requireApproved(approved, end);
      return { end, now };
    };
    return decideOnceRead(
      await readEnd(),
      async ({ end, now }) => {
        const handled = await host.commands.handle(creditAccount, String(workspaceId), sealMonth(end, now), {
          context,
          answer: (account, events) => ({
            seal: account.sealedMonths.get(month),
            replayed: events.length === 0,
          }),
        });
        const { seal, replayed } = handled.answer;
        if (seal === undefined) throw new Error(`${month} was not sealed`);
        return { workspace_id: workspaceId, ...sealView(seal), replayed };
      },
      readEnd,
    );
  },
});

/** The end of a month as the ledger went at `now`. */
type ReadEnd = { readonly end: MonthEnd; readonly now: string };

/** The sealed statement must be the one that was approved. */
function requireApproved(approved: string, { month, hash }: MonthEnd): void {
  if (approved === hash) return;
  throw monthSealedOtherwise({
    detail: 'This is not the hash of the last entry of the month.',
    errors: fieldError('month', `${month} ends with hash ${hash}`),
  });
}

/** The statement was approved before a lot expired in the month: with the entry of the expiry the month ends otherwise. */
async function requireNoneDue(
  { ledgers, clock }: ExpiryHost,
  workspaceId: number,
  last: StoredEvent,
  month: string,
): Promise<void> {
  const { books } = await ledgers.sumsBefore(workspaceId, last.revision + 1n);
  const [first] = dueLots(books.lots, clock.now().toISOString());
  if (first === undefined || first.expiresAt >= endOfMonth(month)) return;
  throw monthSealedOtherwise({
    detail:
      'Credits expired in the month, which the approved statement does not show: ask for the statement again.',
    errors: fieldError('month', `has an expiry at ${first.expiresAt} that is not recorded yet`),
  });
}
