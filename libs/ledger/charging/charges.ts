import type { Commands } from '#kernel/commands/commands.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import type { Leaving, Live } from '#kernel/commands/turn.js';
import { allocatedId, type Ids } from '#kernel/commands/ids.js';
import { findPaid, isFor, paidOpeningOf, type PaidOpening } from './paid-elsewhere.js';
import { answeredDecisionTime } from '#ledger/domain/books.js';
import type { LaunchBudget } from '#ledger/domain/budgets.js';
import { capReached } from '#ledger/domain/caps.js';
import type { MovementStatus } from '#ledger/domain/charges.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { Refusal } from '#kernel/values/refusal.js';
import {
  chargesMark,
  creditAccount,
  insufficientCredits,
  type CreditDecision,
} from '#ledger/domain/credit-account.js';
import type { Cause, creditEvents } from '#ledger/domain/credits.events.js';
import {
  holdAll,
  holdBatch,
  holdOutcomes,
  paidAmong,
  shortageOf,
  underOwnKeys,
  type Hold,
  type HoldOutcome,
  type Shortage,
} from '#ledger/domain/hold-credits.js';

/** What charging needs from its host: requests, processes and operator commands provide it. */
export type ChargeHost = { readonly commands: Pick<Commands, 'handle' | 'load'>; readonly ids: Ids };

/**
 * A piece of work that is paid for: hold, work, settle. Each command id is derived from the work and its step, so
 * each step is idempotent.
 */
export type PaidWork = {
  readonly workspaceId: number;
  readonly context: (step: string) => CommandContext;
  /**
   * Holds are made only while the ledger has no newer entry that they have to be prepared after (`loadChargesMark`,
   * read before anything that says whether they are due); else `ChargesMoved` is thrown. Absent: they depend on no stop.
   */
  readonly mark?: bigint;
  /** The budget of the launch. It limits a `prefix`. */
  readonly budget?: LaunchBudget;
  /**
   * Charges of the same work that later commands hold. `all` is refused, and nothing is held, unless these are covered as
   * well.
   */
  readonly later?: readonly Charge[];
  /** True if the caller reads the result right after the write. A process waits once, at its end. */
  readonly waitForReadModels?: boolean;
};

/** The ledger has a newer entry after which the charge has to be prepared again. Nothing was held. */
export class ChargesMoved extends Error {
  override readonly name = 'ChargesMoved';
}

/**
 * The mark of charges that are prepared from now on: the revision of the entry that they have to be prepared after. Read
 * before the streams that say whether they are due.
 */
export const loadChargesMark = ({ load }: Pick<Commands, 'load'>, workspaceId: number): Promise<bigint> =>
  load(creditAccount, String(workspaceId), chargesMark);

/** The requester in a cause: the API key, if there is one. */
export const askedBy = ({ actor }: Pick<CommandContext, 'actor'>): Pick<Cause, 'keyId'> =>
  actor.kind === 'apiKey' ? { keyId: Number(actor.id) } : {};

/** A charge that is wanted: its key comes from the cause, so that the same work is never paid for twice. */
export type Charge = Omit<Hold, 'movementId'> & {
  /** The subjects under which the work may have been paid for in another system (IMP-01); it is free then. */
  readonly subjects?: readonly string[];
};

/** The charges that must be covered: `all` or nothing (refused with 402), or the affordable `prefix`. */
export type Cover = 'all' | 'prefix';

const DECISIONS: {
  readonly [How in Cover]: (
    wanted: readonly Hold[],
    budget: LaunchBudget | undefined,
    later: readonly Hold[],
  ) => CreditDecision;
} = {
  all: (wanted, _, later) => (account, at) => {
    if (later.length > 0) holdAll([...wanted, ...later])(account, at);
    return holdAll(wanted)(account, at);
  },
  prefix: holdBatch,
};

/** The reason of a refusal of all charges; null if the error is another one. */
export function unpaidBecause(error: unknown): 'credits' | 'cap' | null {
  if (!(error instanceof Refusal)) return null;
  if (error.declaration === capReached) return 'cap';
  return error.declaration === insufficientCredits ? 'credits' : null;
}

/** The outcome of requested charges. */
export type Payments = {
  /**
   * By key, the movement of each paid charge; null if the charge needs no movement (exempt, price 0). A missing key
   * was not covered, or was released before.
   */
  readonly paid: ReadonlyMap<string, number | null>;
  /** Movements that this call created and that are held. */
  readonly held: readonly number[];
  /** What did not cover all charges: the balance, a cap, or the budget of the launch; null if all are covered. */
  readonly shortage: Shortage | null;
};

/**
 * Holds credits for charges, in their order. The ledger decides the payer (workspace, partner or nobody). Throws the
 * ledger's refusals: 402 if `all` is not covered, 409 if a key belongs to another charge.
 */
export async function holdCharges(
  host: ChargeHost,
  work: PaidWork,
  step: string,
  wanted: readonly Charge[],
  cover: Cover,
): Promise<Payments> {
  if (wanted.length === 0) return { paid: new Map(), held: [], shortage: null };
  return holdAnd(host, work, step, wanted, cover, (outcomes, _account, shortage) => ({
    outcomes,
    shortage,
  })).then(({ outcomes, shortage }) => paymentsOf(outcomes, shortage));
}

/** Like `holdCharges`, but the answer is computed from the outcomes and from the account right after the decision. */
export async function holdAnd<Answer>(
  host: ChargeHost,
  work: PaidWork,
  step: string,
  wanted: readonly Charge[],
  cover: Cover,
  answer: (
    outcomes: readonly HoldOutcome[],
    account: Live<CreditAccount>,
    shortage: Shortage | null,
  ) => Answer & Leaving<Answer>,
): Promise<Answer> {
  const context = work.context(step);
  const movementIds = await host.ids.nextMany('movement', wanted.length, context.commandId);
  const holds = wanted.map((charge, index): Hold => ({
    ...charge,
    movementId: allocatedId(movementIds, index),
  }));
  const { mark, budget } = work;
  const later = (work.later ?? []).map((charge): Hold => ({ ...charge, movementId: 0 }));
  const all = [...holds, ...later];
  const isMoved = (account: Pick<CreditAccount, 'memory'>): boolean =>
    mark !== undefined && chargesMark(account) !== mark;
  let elsewhere: Elsewhere = { hash: null, keys: new Set() };
  const isToLookUp = (account: Pick<CreditAccount, 'openings'>): PaidOpening | null => {
    const opening = paidOpeningOf(account);
    return opening !== null && opening.hash !== elsewhere.hash && all.some(hasSubjects) ? opening : null;
  };
  for (;;) {
    let hasMoved = false;
    let toLookUp: PaidOpening | null = null;
    let decidedAt: string | null = null;
    const handled = await host.commands.handle<CreditAccount, typeof creditEvents, Answer>(
      creditAccount,
      String(work.workspaceId),
      (account, at) => {
        decidedAt = at;
        if (isMoved(account) || isToLookUp(account) !== null) return [];
        const wantedLater = payable(account, later, elsewhere);
        return DECISIONS[cover](payable(account, holds, elsewhere), budget, wantedLater)(account, at);
      },
      {
        context,
        answer(account) {
          toLookUp = isToLookUp(account);
          hasMoved = isMoved(account);
          const asked = payable(account, holds, elsewhere);
          const outcomes = outcomesOf(account, holds, asked);
          const isShort =
            !hasMoved && toLookUp === null && outcomes.some(({ status }) => status === 'refused');
          const at = answeredDecisionTime(account.books, decidedAt);
          return answer(outcomes, account, isShort ? shortageOf(account, asked, at, budget) : null);
        },
        waitForReadModels: work.waitForReadModels ?? false,
      },
    );
    if (hasMoved) throw new ChargesMoved('the charges are to be prepared again');
    if (toLookUp === null) return handled.answer;
    elsewhere = await lookUp(host, work.workspaceId, toLookUp, all);
  }
}

/**
 * The part of an opening about requested charges: the keys that were paid for elsewhere. `hash` is null if no opening
 * was read.
 */
type Elsewhere = { readonly hash: string | null; readonly keys: ReadonlySet<string> };

const hasSubjects = ({ subjects = [] }: Charge): boolean => subjects.length > 0;

async function lookUp(
  host: ChargeHost,
  workspaceId: number,
  opening: PaidOpening,
  wanted: readonly Charge[],
): Promise<Elsewhere> {
  const paid = await findPaid(
    host,
    workspaceId,
    opening,
    wanted.flatMap(({ subjects = [] }) => subjects),
  );
  const isPaid = ({ subjects = [], cause }: Charge): boolean =>
    paid.some((each) => subjects.includes(each.subject) && isFor(each, cause));
  return { hash: opening.hash, keys: new Set(wanted.filter(isPaid).map(({ key }) => key)) };
}

/** The holds to request. Work that was paid for elsewhere costs nothing, unless it was charged here before. */
function payable(account: CreditAccount, holds: readonly Hold[], { keys }: Elsewhere): readonly Hold[] {
  const asked = underOwnKeys(account, holds);
  if (keys.size === 0) return asked;
  return asked.map((own, index) => {
    const isPaidElsewhere = keys.has(holds[index]?.key ?? own.key);
    return isPaidElsewhere && !account.charges.byKey.has(own.key) ? { ...own, credits: 0n } : own;
  });
}

/** The outcome of each hold under the key that it was wanted under. */
const outcomesOf = (
  account: CreditAccount,
  wanted: readonly Hold[],
  asked: readonly Hold[],
): readonly HoldOutcome[] =>
  holdOutcomes(account, asked).map((outcome, index) => ({
    ...outcome,
    key: wanted[index]?.key ?? outcome.key,
  }));

/**
 * The earlier outcome of these charges, if there is any. Nothing is held. `isOfOtherRequest`: an open hold of another
 * request.
 */
export async function knownCharges(
  { commands }: Pick<ChargeHost, 'commands'>,
  { workspaceId }: PaidWork,
  wanted: readonly Charge[],
): Promise<ReadonlyMap<string, KnownCharge>> {
  const holds = wanted.map((charge): Hold => ({ ...charge, movementId: 0 }));
  const known = await commands.load(creditAccount, String(workspaceId), (account) =>
    outcomesOf(account, holds, underOwnKeys(account, holds)).flatMap(({ key, movementId, status }, index) => {
      if (movementId === null) return [];
      const owner = account.books.openHolds.get(movementId)?.cause.requestId;
      const isOfOtherRequest = status === 'held' && owner !== holds[index]?.cause.requestId;
      return [[key, { movementId, status, isOfOtherRequest }] as const];
    }),
  );
  return new Map(known);
}

/** A charge that was made before, with its status. */
export type KnownCharge = {
  readonly movementId: number;
  readonly status: MovementStatus;
  readonly isOfOtherRequest: boolean;
};

function paymentsOf(outcomes: readonly HoldOutcome[], shortage: Shortage | null): Payments {
  const paid = new Map<string, number | null>();
  const held: number[] = [];
  for (const { key, movementId, status, replayed } of outcomes) {
    if (status === 'refused' || status === 'released') continue;
    if (!paid.has(key)) paid.set(key, movementId);
    if (movementId !== null && status === 'held' && !replayed) held.push(movementId);
  }
  return { paid, held, shortage };
}

/** The keys that are already paid for (held or captured), with their movements. Nothing is held. */
export async function paidBefore(
  { commands }: Pick<ChargeHost, 'commands'>,
  { workspaceId }: PaidWork,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const paid = await commands.load(creditAccount, String(workspaceId), (account) => [
    ...paidAmong(account, keys),
  ]);
  return new Map(paid);
}
