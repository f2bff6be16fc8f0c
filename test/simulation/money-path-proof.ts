import { available, granted, ownAccount } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditAccount } from '#ledger/domain/account-state.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { formatCredits } from '#kernel/values/credits.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { stateAfter } from '#kernel/testing/scenario.js';
import { LedgerModel } from './ledger-model.js';
import { effectOf, expectedAnswer } from './money-commands.js';
import type { Attempt } from './money-path.js';

/** A violated invariant, with its number if it has one. */
export class Broken extends Error {}

/**
 * Replays the stream with the model, command by command, and compares every effect, every sum and every answer.
 * Effects happened in the order of the stream; a command that wrote nothing (a refusal, a repetition) must be
 * explained by one state between its sending and its answer. That is a serial order consistent with real time: P7.
 */
export async function proveHistory(
  stored: readonly StoredEvent[],
  attempts: readonly Attempt[],
): Promise<void> {
  const model = new LedgerModel();
  let account = creditAccount.initial();
  let length = 0;
  const unexplained = new Set(attempts.filter(({ answeredAt }) => answeredAt !== null));
  const byName = new Map(attempts.map((attempt) => [attempt.name, attempt]));
  const wrote = new Map<string, number>();

  for (const events of commandsOf(stored)) {
    explain(unexplained, wrote, model, length);
    const [first] = events;
    if (first === undefined) throw new Broken('a command of no events');
    const name = first.metadata['correlationId'] ?? '';
    const recordedAt = first.metadata['recordedAt'] ?? '';
    const attempt = byName.get(name);
    if (attempt === undefined) {
      if (name !== 'opening')
        throw new Broken(`P6 revision ${first.revision} was written by ${name}, unasked`);
    } else {
      if (wrote.has(name)) throw new Broken(`P6 ${describe(attempt)} was done twice`);
      wrote.set(name, events.length);
      wrote.set(attempt.commandId, (wrote.get(attempt.commandId) ?? 0) + events.length);
      if (attempt.sentAt > length) throw new Broken(`P7 ${describe(attempt)} was done before it was sent`);
      if (attempt.answeredAt !== null && attempt.answeredAt < length + events.length) {
        throw new Broken(`P7 ${describe(attempt)} was answered before it was done`);
      }
      if (recordedAt < attempt.sentTime) throw new Broken(`${describe(attempt)} is recorded too early`);
      const result = model.run(attempt.command, recordedAt);
      // The order within one command does not matter.
      const effects = events.map(effectOf).toSorted().join('; ');
      const expected = result === 'done' ? model.effects.toSorted().join('; ') : result;
      if (effects !== expected) {
        throw new Broken(`P4 ${describe(attempt)} did <${effects}> instead of <${expected}>`);
      }
    }
    account = stateAfter(creditAccount, events, account);
    length += events.length;
    compareSums(account, model, length - 1);
  }
  explain(unexplained, wrote, model, length);
  for (const attempt of unexplained) {
    throw new Broken(
      `P7 no state between revisions ${attempt.sentAt - 1} and ${Number(attempt.answeredAt) - 1} explains ` +
        `the answer <${attempt.result} ${attempt.answer}> (${attempt.appended} events) to ${describe(attempt)}`,
    );
  }
  const verification = await verifyLedger([stored], null);
  if (!verification.ok) throw new Broken(`the chain breaks: ${JSON.stringify(verification.differences[0])}`);
  proveFolding(stored, account);
}

/** Consecutive events of one attempt: a group commit writes several next to each other. */
function commandsOf(stored: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const commands: StoredEvent[][] = [];
  for (const event of stored) {
    const last = commands.at(-1);
    const isSame = last?.[0]?.metadata['correlationId'] === event.metadata['correlationId'];
    if (last !== undefined && isSame) last.push(event);
    else commands.push([event]);
  }
  return commands;
}

/** Removes the answers that the current state explains. */
function explain(
  unexplained: Set<Attempt>,
  wrote: ReadonlyMap<string, number>,
  model: LedgerModel,
  length: number,
): void {
  for (const attempt of unexplained) {
    const { command, sentAt, answeredAt, appended, result, answer, commandId } = attempt;
    if (sentAt > length) break;
    if (answeredAt === null || answeredAt < length) continue;
    if (appended > 0) {
      // Answered from the state right after it, or, if it was found in the stream (possibly executed by another
      // worker with the same command), from a later one.
      if ((wrote.get(commandId) ?? 0) >= appended && answer === expectedAnswer(model, command))
        unexplained.delete(attempt);
      continue;
    }
    // It changed nothing, so the state after it is this one.
    const expected = result === 'done' ? expectedAnswer(model, command) : refusalNumbers(answer, model);
    if (answer !== expected) continue;
    const tried = model.copy();
    if (tried.run(command) === result && tried.effects.length === 0) unexplained.delete(attempt);
  }
}

/** The numbers in a refusal for lack of credits equal those of the model (P6, OP-67). */
function refusalNumbers(answer: string, model: LedgerModel): string {
  const { credits_required: required, ...numbers }: { readonly [member: string]: unknown } =
    JSON.parse(answer);
  if (required === undefined) return '{}';
  const credits = (account: string): number => Number(formatCredits(model.of(account)));
  const same =
    numbers['credits_available'] === credits('available') && numbers['credits_held'] === credits('held');
  return same && typeof required === 'number' && required > credits('available') ? answer : 'other numbers';
}

function compareSums({ books, charges }: CreditAccount, model: LedgerModel, revision: number): void {
  const own = ownAccount(books);
  const partner = books.accounts.get('partner:7') ?? { held: 0n, captured: 0n };
  const pairs: readonly (readonly [string, bigint, bigint])[] = [
    ['available', available(books), model.of('available')],
    ['held', own.held, model.of('held')],
    ['captured', own.captured, model.of('consumed')],
    ['granted', granted(books), -model.of('granted') - model.of('withdrawn')],
    ['partner held', partner.held, model.of('partner:7 held')],
    ['partner captured', partner.captured, model.of('partner:7 consumed')],
    ['P3 granted - captured', granted(books) - own.captured, available(books) + own.held],
    ['P1 the sum of all accounts', sum(model.accounts.values()), 0n],
  ];
  for (const [what, found, expected] of pairs) {
    if (found !== expected)
      throw new Broken(`${what} is ${found} and not ${expected} after revision ${revision}`);
  }
  if (available(books) < 0n || own.held < 0n) throw new Broken(`P2 below zero after revision ${revision}`);
  let open = 0n;
  for (const { credits, payer } of books.openHolds.values()) if (payer === 'workspace') open += credits;
  if (open !== own.held)
    throw new Broken(`P3 held is not the sum of the open holds after revision ${revision}`);
  if (charges.byKey.size !== model.movements.size) throw new Broken('P4 a key has no movement, or two');
}

/** P8 at one split, the middle of the history. ledger.spec.ts tries every split. */
function proveFolding(stored: readonly StoredEvent[], whole: CreditAccount): void {
  const middle = Math.floor(stored.length / 2);
  const prefix = stateAfter(creditAccount, stored.slice(0, middle));
  if (shown(stateAfter(creditAccount, stored.slice(middle), prefix)) !== shown(whole)) {
    throw new Broken(`P8 folding in two at revision ${middle} gives another state`);
  }
}

function shown(account: CreditAccount): string {
  return JSON.stringify(account, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Map ? [...value] : value;
  });
}

function describe({ name, command }: Pick<Attempt, 'name' | 'command'>): string {
  return `${name} ${commandText(command)}`;
}

export function commandText(command: Attempt['command']): string {
  return JSON.stringify(command, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}
