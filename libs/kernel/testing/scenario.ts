import { streamName, type Decider, type TimedDecision } from '#kernel/commands/decider.js';
import { decodeEvent, encodeEvent } from '#kernel/events/event-codec.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { EventOf, PayloadsOf, Vocabulary } from '#kernel/events/event.js';
import type { JsonObject } from '#kernel/values/json.js';
import { Refusal } from '#kernel/values/refusal.js';

/** An event of the past; `at` is when it was recorded, a second after the one before when absent. */
type Given<V extends Vocabulary> = EventOf<PayloadsOf<V>> & { readonly at?: string };

const FIRST_RECORDED = Date.parse('2026-01-01T00:00:00.000Z');

/**
 * Events as a store returns them, after those in `past`: validated, sealed if the aggregate has seals, with the same
 * revisions, positions and metadata in every run.
 */
export function history<State, V extends Vocabulary>(
  decider: Decider<State, V>,
  events: readonly Given<V>[],
  past: readonly StoredEvent[] = [],
): readonly StoredEvent[] {
  let hash = past.at(-1)?.metadata['hash'] ?? '';
  return events.map(({ type, data, at }, index) => {
    const place = past.length + index;
    const recordedAt = at ?? new Date(FIRST_RECORDED + place * 1000).toISOString();
    const eventId = `00000000-0000-4000-8000-${place.toString().padStart(12, '0')}`;
    const metadata = { workspaceId: '1', actorKind: 'system', actorId: 'test', recordedAt };
    // A store keeps JSON, so an event that it returns has no undefined fields.
    const plain: JsonObject = JSON.parse(JSON.stringify(data));
    const stored: StoredEvent = {
      ...encodeEvent(decider.vocabulary, { type, data: plain }, eventId, metadata),
      stream: streamName(decider, '1'),
      revision: BigInt(place),
      position: place.toString().padStart(16, '0'),
    };
    if (decider.seal === undefined) return stored;
    hash = decider.seal(hash, stored);
    return { ...stored, metadata: { ...stored.metadata, hash } };
  });
}

/** The state after these events, folded as the command path folds them. */
export function stateAfter<State, V extends Vocabulary>(
  decider: Decider<State, V>,
  events: readonly StoredEvent[],
  from: State = decider.initial(),
): State {
  return events.reduce((state, stored) => {
    const evolve: unknown = decider.on[stored.type];
    const recorded = decodeEvent(decider.vocabulary, stored);
    if (recorded === null || typeof evolve !== 'function') throw new Error(`${stored.type} is not evolved`);
    return evolve(state, recorded);
  }, from);
}

/** The state after these events, from the first on. */
export const stateFrom = <State, V extends Vocabulary>(
  decider: Decider<State, V>,
  events: readonly Given<V>[],
): State => stateAfter(decider, history(decider, events));

/**
 * A rule as a sentence: `given(creditAccount, [granted]).when(hold(wanted)).then([held])`, or
 * `.then(insufficientCredits({ members }))` for a refusal.
 */
export function given<State, V extends Vocabulary>(decider: Decider<State, V>, events: readonly Given<V>[]) {
  const past = history(decider, events);
  return {
    /** `at` is when it is decided; with the last event of the past, when absent. */
    when(decision: TimedDecision<State, V>, at: string = past.at(-1)?.metadata['recordedAt'] ?? '') {
      const outcome = decide(decision, stateAfter(decider, past), at);
      return {
        /** Compares all that was decided; of a refusal the declaration and every detail that is named. */
        then(expected: readonly EventOf<PayloadsOf<V>>[] | Refusal): void {
          if (expected instanceof Refusal) {
            if (!(outcome instanceof Refusal)) {
              throw new Error(`decided ${JSON.stringify(outcome)} instead of refusing: ${expected.message}`);
            }
            expect(outcome.declaration.code).toBe(expected.declaration.code);
            expect(outcome.details).toMatchObject(expected.details);
            return;
          }
          if (outcome instanceof Refusal) throw outcome;
          expect(outcome).toEqual(expected);
          // Checks that the decided events can be stored and read.
          history(decider, outcome, past);
        },
      };
    },
  };
}

/** The rules of one aggregate, each as `deciding(past, decision, at).then(expected)`; see `given`. */
export const rulesOf =
  <State, V extends Vocabulary>(decider: Decider<State, V>) =>
  (past: readonly Given<V>[], decision: TimedDecision<State, V>, at?: string) =>
    given(decider, past).when(decision, at);

function decide<State, V extends Vocabulary>(
  decision: TimedDecision<State, V>,
  state: State,
  at: string,
): readonly EventOf<PayloadsOf<V>>[] | Refusal {
  try {
    return decision(state, at);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
