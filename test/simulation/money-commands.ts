import { available, ownAccount } from '#ledger/domain/books.js';
import type { CreditDecision } from '#ledger/domain/credit-account.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { chargeBatch, holdAll, holdBatch, holdOutcomes, type Hold } from '#ledger/domain/hold-credits.js';
import { adjust, grant, setBillingMode, withdraw } from '#ledger/domain/post-credits.js';
import { releaseExpired, settle } from '#ledger/domain/settle-credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { LedgerModel, ModelCommand, ModelHold, ModelResult } from './ledger-model.js';
import type { Random } from './random.js';

/** An unknown movement. */
const UNKNOWN_MOVEMENT = 999_999_999;

/** The product's decision for a command of the model. */
export function decisionOf(command: ModelCommand, idOf: (key: string) => number | undefined): CreditDecision {
  switch (command.do) {
    case 'mode':
      if (command.mode === 'self' || command.mode === 'exempt') return setBillingMode({ mode: command.mode });
      return setBillingMode({ mode: 'partner', partnerId: Number(command.mode.slice('partner:'.length)) });
    case 'grant':
      return grant(postingOf(command));
    case 'withdraw':
      return withdraw(postingOf(command));
    case 'adjust':
      return adjust(postingOf(command));
    case 'holdAll':
      return holdAll(command.holds.map(holdOf));
    case 'holdBatch':
      return holdBatch(command.holds.map(holdOf));
    case 'charge':
      return chargeBatch(command.holds.map(holdOf));
    case 'settle': {
      // By key and by id, like a caller that knows the answer of the hold.
      const capture = command.capture.map((key) => ({ key }));
      const release = command.release.map((key) => {
        const movementId = idOf(key);
        return movementId === undefined ? { key } : { movementId };
      });
      return settle({ capture, release });
    }
    case 'sweep':
      return releaseExpired({
        movementIds: command.keys.map((key) => idOf(key) ?? UNKNOWN_MOVEMENT),
        heldBefore: command.before ?? '9999-12-31T00:00:00.000Z',
      });
  }
}

function postingOf({ id, key, amount }: Extract<ModelCommand, { amount: bigint }>) {
  return { movementId: id, key: key ?? undefined, credits: amount, reason: 'simulated' };
}

export function holdOf({ id, key, amount, product }: ModelHold): Hold {
  return { movementId: id, key, credits: amount, product, cause: { kind: 'operator' } };
}

/** Allocates ids like the product: new ones for every attempt, used or not. */
export async function withIds(
  wanted: ModelCommand,
  allocate: (count: number) => Promise<readonly number[]>,
): Promise<ModelCommand> {
  if ('holds' in wanted) {
    const ids = await allocate(wanted.holds.length);
    return { ...wanted, holds: wanted.holds.map((hold, index) => ({ ...hold, id: ids[index] ?? 0 })) };
  }
  if (!('id' in wanted)) return wanted;
  const [id = 0] = await allocate(1);
  return { ...wanted, id };
}

/** The answer of a command as text, for comparison. */
export function answered(account: CreditAccount, command: ModelCommand): string {
  const { held, captured } = ownAccount(account.books);
  const shown = [`available ${available(account.books)} held ${held} captured ${captured}`];
  if ('holds' in command) {
    for (const { key, status, movementId, replayed } of holdOutcomes(account, command.holds.map(holdOf)))
      shown.push(`${key} ${status} ${movementId}${replayed ? ' replayed' : ''}`);
  }
  return shown.join('; ');
}

/** The same for the model. */
export function expectedAnswer(model: LedgerModel, command: ModelCommand): string {
  const shown = [
    `available ${model.of('available')} held ${model.of('held')} captured ${model.of('consumed')}`,
  ];
  if ('holds' in command) {
    for (const { key, id, amount } of command.holds) {
      const movement = model.movements.get(key);
      const none = model.mode === 'exempt' ? 'exempt' : amount === 0n ? 'free' : 'refused';
      shown.push(
        movement === undefined
          ? `${key} ${none} null`
          : `${key} ${movement.status} ${movement.id}${movement.id === id ? '' : ' replayed'}`,
      );
    }
  }
  return shown.join('; ');
}

/** A stored entry as the model names its effects: derived from the stored bytes, not from the fold. */
export function effectOf({ type, data }: StoredEvent): string {
  const text = (member: string): string => String(data[member] ?? null);
  switch (type) {
    case 'BillingModeSet':
      return `mode ${data['billing'] === 'partner' ? `partner:${text('partnerId')}` : text('billing')}`;
    case 'CreditsGranted':
    case 'CreditsWithdrawn':
    case 'CreditsAdjusted': {
      const did = { CreditsGranted: 'grant', CreditsWithdrawn: 'withdraw', CreditsAdjusted: 'adjust' }[type];
      return `${did} ${text('movementId')} ${text('key')} ${text('credits')}`;
    }
    case 'CreditsHeld': {
      const payer = data['payer'] === 'workspace' ? 'self' : text('payer');
      return `held ${text('movementId')} ${text('key')} ${text('credits')} ${text('product')} ${payer}`;
    }
    case 'CreditsCaptured':
    case 'CreditsReleased':
      return `${type === 'CreditsCaptured' ? 'captured' : 'released'} ${text('movementId')} ${text('key')}`;
    default:
      return `unknown ${type}`;
  }
}

/** The refusals of the model by the kinds of the product. */
export function isResult(kind: string): kind is ModelResult {
  return kind === 'unpayable' || kind === 'conflicting' || kind === 'missing' || kind === 'unprocessable';
}

/** Random commands of callers on few keys, so that a key is used in many ways. */
export function randomCommands(random: Random, count: number): readonly ModelCommand[] {
  const commands: ModelCommand[] = [{ do: 'grant', id: 0, key: 'first', amount: 60_000_000n }];
  while (commands.length < count) commands.push(randomCommand(random, Math.ceil(commands.length / 6)));
  return commands;
}

function randomCommand(random: Random, age: number): ModelCommand {
  // Mostly recent keys; sometimes an old one.
  const place = (from: number): number =>
    random.happens(0.85) ? Math.max(0, from + random.below(4)) : random.below(age + 1);
  const some = (most: number): readonly string[] =>
    Array.from({ length: random.below(most + 1) }, () => `k${place(age - 4)}`);
  const hold = (): ModelHold => {
    // A key has its price; a few callers send a wrong one.
    const key = place(age - 1);
    const price = [10_000_000n, 10_000_000n, 12_500_001n, 10_000_000n, 0n][key % 5] ?? 0n;
    const amount = random.happens(0.02) ? price + 1n : price;
    return { id: 0, key: `k${key}`, amount, product: random.happens(0.98) ? 'keyword_match' : 'other' };
  };
  const wish = random.below(100);
  if (wish < 46) {
    const how = random.oneOf(['holdAll', 'holdAll', 'holdBatch', 'holdBatch', 'charge'] as const);
    return { do: how, holds: Array.from({ length: 1 + random.below(4) }, hold) };
  }
  if (wish < 74) {
    const capture = some(2);
    return { do: 'settle', capture, release: capture.length === 0 || random.happens(0.2) ? some(2) : [] };
  }
  if (wish < 78) return { do: 'sweep', keys: some(6) };
  if (wish < 80) return { do: 'mode', mode: random.oneOf(['self', 'self', 'self', 'exempt', 'partner:7']) };
  const postingKey = `p${Math.floor(age / 4) + random.below(2)}`;
  if (wish < 81) return { do: 'grant', id: 0, key: postingKey, amount: 1_000_000_000_000_000n };
  const key = random.happens(0.8) ? postingKey : null;
  const amount = BigInt(1 + random.below(30_000_000));
  if (wish < 93) return { do: 'grant', id: 0, key, amount: random.happens(0.5) ? 10_000_001n : amount };
  if (wish < 97) return { do: 'withdraw', id: 0, key, amount };
  return { do: 'adjust', id: 0, key: postingKey, amount: random.happens(0.5) ? amount : -amount };
}
