import type { CreditAccount } from '#ledger/domain/account-state.js';
import { findCharge, type MovementReference, type RecordedCharge } from '#ledger/domain/charges.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { ownKeys } from '#ledger/domain/hold-credits.js';
import { settle } from '#ledger/domain/settle-credits.js';
import type { ChargeHost, PaidWork } from './charges.js';

/** Needs no ids: an end makes no new movement. */
type SettlingHost = Pick<ChargeHost, 'commands'>;

const openHoldsOf = ({ books }: Pick<CreditAccount, 'books'>, requestId: number) =>
  [...books.openHolds.values()].filter(({ cause }) => cause.requestId === requestId);

/** The requests for which the ledger has an open hold. */
export const requestsWithHolds = (
  { commands }: SettlingHost,
  workspaceId: number,
): Promise<readonly number[]> =>
  commands.load(creditAccount, String(workspaceId), ({ books }) => [
    ...new Set([...books.openHolds.values()].flatMap(({ cause: { requestId = [] } }) => requestId)),
  ]);

/** Whether the ledger has an open hold of a request. */
export const holdsFor = (
  { commands }: SettlingHost,
  workspaceId: number,
  requestId: number,
): Promise<boolean> =>
  commands.load(creditAccount, String(workspaceId), (account) => openHoldsOf(account, requestId).length > 0);

/**
 * Ends every open hold of a request: movements of recorded results are captured, the others are released. Idempotent.
 */
export async function settleRequest(
  host: SettlingHost,
  work: PaidWork,
  requestId: number,
  recorded: ReadonlySet<number>,
): Promise<void> {
  const decision: CreditDecision = (account, at) => {
    const open = openHoldsOf(account, requestId);
    return settle({
      capture: open.filter(({ movementId }) => recorded.has(movementId)),
      release: open.filter(({ movementId }) => !recorded.has(movementId)),
    })(account, at);
  };
  await decideOn(host, work, 'settle', decision);
}

/** How the holds of a piece of work end. */
export type Ends = {
  /** Movements whose results were recorded: they are captured. */
  readonly capture: readonly number[];
  /** Movements without a result: they are released. */
  readonly release?: readonly MovementReference[];
  /**
   * Movements that are not released, because their results were recorded by this work or by other work that shares
   * the charge.
   */
  readonly keep?: ReadonlySet<number>;
  readonly reason?: string;
};

/**
 * Ends the movements that are still held. A movement that an operator or the sweep has ended meanwhile must not stop
 * the work.
 */
export async function settleCharges(
  host: SettlingHost,
  work: PaidWork,
  step: string,
  { capture, release = [], keep, reason }: Ends,
): Promise<void> {
  if (capture.length + release.length === 0) return;
  const decision: CreditDecision = (account, at) => {
    const own = ownKeys(
      account,
      release.flatMap((movement) => ('key' in movement ? movement.key : [])),
    );
    const chargeOf = (movement: MovementReference): RecordedCharge | null =>
      findCharge(
        account.charges,
        'key' in movement ? { key: own.get(movement.key) ?? movement.key } : movement,
      );
    const held = (movement: MovementReference): readonly MovementReference[] => {
      const charge = chargeOf(movement);
      return charge?.status === 'held' ? [{ movementId: charge.movementId }] : [];
    };
    const isKept = (movement: MovementReference): boolean =>
      keep?.has(chargeOf(movement)?.movementId ?? 0) === true;
    return settle({
      capture: capture.flatMap((movementId) => held({ movementId })),
      release: release.filter((movement) => !isKept(movement)).flatMap(held),
      reason,
    })(account, at);
  };
  await decideOn(host, work, step, decision);
}

/** Decides a step of the work on its ledger. */
async function decideOn(
  { commands }: SettlingHost,
  { workspaceId, context, waitForReadModels = false }: PaidWork,
  step: string,
  decision: CreditDecision,
): Promise<void> {
  const options = { context: context(step), waitForReadModels };
  await commands.handle(creditAccount, String(workspaceId), decision, options);
}
