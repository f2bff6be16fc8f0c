import { createCommands, type Commands, type CommandsSettings } from '#kernel/commands/commands.js';
import { decider, type CommandContext, type Decision } from '#kernel/commands/decider.js';
import { event } from '#kernel/events/event.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { canonicalJson } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';

/** The smallest aggregate with a rule: a sum that never falls below zero, sealed and strict like money. */
export type Tally = { sum: number; readonly amounts: number[] };

export const tallyEvents = {
  Added: event(Type.Object({ amount: Type.Integer(), text: Type.Optional(Type.String()) })),
  Taken: event(Type.Object({ amount: Type.Integer() })),
};

export const notEnough = refusal({ code: 'not-enough', kind: 'conflicting', detail: 'There is not enough.' });

export function sealTally(
  previousHash: string,
  entry: Pick<StoredEvent, 'type' | 'data' | 'revision'>,
): string {
  const { type, data, revision } = entry;
  return sha256Hex(`${previousHash}${canonicalJson({ type, data, revision: revision.toString() })}`);
}

export const tally = decider<Tally>()({
  category: 'tally',
  scope: 'workspace',
  vocabulary: tallyEvents,
  strict: true,
  seal: sealTally,
  initial: () => ({ sum: 0, amounts: [] }),
  on: {
    Added: (state, { data }) => changed(state, data.amount),
    Taken: (state, { data }) => changed(state, -data.amount),
  },
});

/** Changed in place, like large states: a state that was handed out too early shows. */
function changed(state: Tally, amount: number): Tally {
  state.sum += amount;
  state.amounts.push(amount);
  return state;
}

export type TallyDecision = Decision<Tally, typeof tallyEvents>;

export const add =
  (amount: number, text?: string): TallyDecision =>
  () => [{ type: 'Added', data: text === undefined ? { amount } : { amount, text } }];

export const take =
  (amount: number): TallyDecision =>
  ({ sum }) => {
    if (sum < amount) throw notEnough();
    return [{ type: 'Taken', data: { amount } }];
  };

/** Fills up to a level; no change when the level is reached. */
export const fillTo =
  (level: number): TallyDecision =>
  ({ sum }) =>
    sum >= level ? [] : [{ type: 'Added', data: { amount: level - sum } }];

let commandsMade = 0;

export function contextOf(commandId = `command-${(commandsMade += 1)}`): CommandContext {
  return { commandId, actor: { kind: 'system', id: 'test' }, workspaceId: 1, correlationId: 'test' };
}

export const at = (iso: string) => ({ now: () => new Date(iso) });
export const NOON = at('2026-01-01T12:00:00.000Z');

/** The command path with a fixed clock and read models that are always available. */
export function commandsOn(
  eventStore: CommandsSettings['eventStore'],
  settings: Partial<CommandsSettings> = {},
): Commands {
  return createCommands({
    eventStore,
    clock: NOON,
    progress: { reached: async () => true },
    retry: { tries: 4, firstDelayMs: 1, longestDelayMs: 2 },
    ...settings,
  });
}

/** A full copy of a tally: the one in memory keeps changing. */
export const whole = ({ sum, amounts }: Tally): Tally => ({ sum, amounts: [...amounts] });

/** Sends a decision to the tally `id` and answers with the sum right after it. */
export function send(commands: Commands, id: string, decision: TallyDecision, commandId?: string) {
  return commands.handle(tally, id, decision, { context: contextOf(commandId), answer: ({ sum }) => sum });
}
