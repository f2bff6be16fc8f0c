import { decodeEvent } from '../events/event-codec.js';
import type { EventMetadata, Position, StoredEvent } from '../ports/event-store.port.js';
import { Forgotten } from '../ports/recall.port.js';
import type { AskedDecision, DecidedStream, Outcome } from './decide-round.js';
import type { Handled } from './decider.js';
import type { AnyEvent } from './stream-memory.js';
import { requirePlain } from './turn.js';

/** A handled command with whose events, of which types, a reader of its effects has to wait for. */
export type Settled<Answer> = Handled<Answer> & {
  readonly types: readonly string[];
  readonly workspaceId: number | null;
};

/** A decision in the queue of its stream, with the callbacks of its caller. */
export type Pending = AskedDecision & {
  /** The command only reads the state, so it is answered even while the store accepts no writes. */
  readonly isRead?: boolean;
  readonly resolve: (settled: Settled<unknown>) => void;
  readonly reject: (error: unknown) => void;
};

/** Answers the callers of final decisions and removes their commands from `open`. */
export function answerDecided(
  on: DecidedStream,
  outcomes: readonly Outcome<Pending>[],
  open: Set<Pending>,
  appendedUpTo: Position | null,
): void {
  for (const outcome of outcomes) {
    open.delete(outcome.pending);
    if (outcome.kind === 'failed') outcome.pending.reject(outcome.error);
    else {
      outcome.pending.resolve({
        answer: outcome.answer,
        appended: outcome.events.length,
        revision: on.memory.revision,
        position: appendedUpTo ?? on.memory.position,
        ...awaitedFor(on, outcome.events),
      });
    }
  }
}

/**
 * If an appended event has the id of an open command, the command was carried out: by this process (the
 * acknowledgement was lost) or by another worker with the same deterministic id. The command is answered from that
 * event and removed from `open`. Returns its id.
 */
export function answerFound(
  on: DecidedStream,
  open: Set<Pending>,
  found: readonly StoredEvent[],
): readonly string[] {
  const foundIds: string[] = [];
  for (const pending of open) {
    const { commandId } = pending.context;
    const own = found.filter(({ metadata }) => metadata['commandId'] === commandId);
    const last = own.at(-1);
    if (last === undefined) continue;
    foundIds.push(commandId);
    const { state, revision } = on.memory;
    try {
      const decoded = own.map((event) => decodeEvent(on.decider.vocabulary, event) ?? event);
      pending.resolve({
        answer: requirePlain(pending.answer(state, decoded), state),
        appended: own.length,
        revision,
        position: last.position,
        ...awaitedFor(on, own),
      });
    } catch (error) {
      // The command stays open. Decided again, it asks for the forgotten facts and finds that it was carried out.
      if (error instanceof Forgotten) continue;
      pending.reject(error);
    }
    open.delete(pending);
  }
  return foundIds;
}

/** The events a reader waits for; if nothing was written, the last events of other writers. */
function awaitedFor(
  { owner, decider }: DecidedStream,
  events: readonly (AnyEvent & { readonly metadata: EventMetadata })[],
): Pick<Settled<unknown>, 'types' | 'workspaceId'> {
  const [first] = events;
  if (first === undefined) {
    const workspaceId = typeof owner === 'function' ? null : owner;
    return { types: Object.keys(decider.vocabulary), workspaceId };
  }
  const workspaceId = typeof owner === 'function' ? owner(first) : owner;
  return { types: events.map(({ type }) => type), workspaceId };
}
