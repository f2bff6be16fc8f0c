import { randomUUID } from 'node:crypto';
import type { Clock } from '../ports/clock.js';
import type { CommandContext } from './decider.js';
import { encodeEvent } from '../events/event-codec.js';
import {
  AppendTooLarge,
  MAX_APPEND_BYTES,
  type EventMetadata,
  type NewEvent,
} from '../ports/event-store.port.js';
import type { JsonObject } from '../values/json.js';
import { Forgotten } from '../ports/recall.port.js';
import type { AnyDecider, StreamMemory } from './stream-memory.js';

export type AnyEvent = { readonly type: string; readonly data: JsonObject };

/** A decision that was asked for, and how its caller's answer is read from the state after it. */
export type Asked = {
  readonly decision: (state: unknown) => readonly AnyEvent[];
  readonly answer: (state: unknown, events: readonly AnyEvent[]) => unknown;
  readonly context: CommandContext;
};

/** What a decision came to, not yet answered: its events may not be durable yet. */
export type Outcome<Pending extends Asked> =
  | {
      readonly pending: Pending;
      readonly kind: 'done';
      readonly answer: unknown;
      /** Types of the events it made, in order. */
      readonly types: readonly string[];
    }
  | { readonly pending: Pending; readonly kind: 'failed'; readonly error: unknown };

/**
 * What the decisions of one round came to, or which of them ask for facts that the state has forgotten, or the
 * one whose own events or answer threw, and how many came before it.
 */
export type Round<Pending extends Asked> =
  | {
      readonly kind: 'decided';
      readonly outcomes: readonly Outcome<Pending>[];
      /** What is to be appended as one write. */
      readonly events: readonly NewEvent[];
    }
  | { readonly kind: 'asking'; readonly questions: ReadonlyMap<Pending, Forgotten> }
  | { readonly kind: 'spoiled'; readonly by: Pending; readonly error: unknown; readonly before: number };

/** The stream that is decided on, as this process remembers it. */
export type DecidedStream = {
  readonly stream: string;
  readonly decider: AnyDecider;
  readonly memory: StreamMemory;
  readonly clock: Clock;
};

const MAX_BATCH_EVENTS = 1_000;

/**
 * Decides in order on the state in memory, folding each decision's events before the next one looks: at most
 * `most` decisions, and no more than one append takes. All that it folds is speculation.
 */
export function decideRound<Pending extends Asked>(
  on: DecidedStream,
  open: Iterable<Pending>,
  most: number,
): Round<Pending> {
  const { stream, memory } = on;
  const outcomes: Outcome<Pending>[] = [];
  const events: NewEvent[] = [];
  const questions = new Map<Pending, Forgotten>();
  let bytes = 0;
  for (const pending of open) {
    if (outcomes.length >= most) break;
    let decided: readonly AnyEvent[];
    let sealed: readonly NewEvent[];
    try {
      decided = pending.decision(memory.state);
      sealed = prepare(on, decided, pending.context);
    } catch (error) {
      if (error instanceof Forgotten) questions.set(pending, error);
      else outcomes.push({ pending, kind: 'failed', error });
      continue;
    }
    const size = sealed.reduce((sum, event) => sum + sizeOf(event), 0);
    if (size > MAX_APPEND_BYTES) {
      outcomes.push({ pending, kind: 'failed', error: new AppendTooLarge(stream, size) });
      continue;
    }
    if (
      events.length > 0 &&
      (bytes + size > MAX_APPEND_BYTES || events.length + sealed.length > MAX_BATCH_EVENTS)
    )
      break;
    try {
      for (const event of sealed) memory.speculate(event);
      const answer = pending.answer(memory.state, decided);
      outcomes.push({ pending, kind: 'done', answer, types: sealed.map(({ type }) => type) });
    } catch (error) {
      if (error instanceof Forgotten) {
        questions.set(pending, error);
        continue;
      }
      return { kind: 'spoiled', by: pending, error, before: outcomes.length };
    }
    bytes += size;
    events.push(...sealed);
  }
  return questions.size > 0 ? { kind: 'asking', questions } : { kind: 'decided', outcomes, events };
}

/** Gives decided events their ids, metadata and seals, in the order in which they will be appended. */
function prepare(
  { decider, memory, clock }: DecidedStream,
  decided: readonly AnyEvent[],
  context: CommandContext,
): readonly NewEvent[] {
  const { lastRecordedAt, revision, headHash } = memory;
  const now = clock.now().toISOString();
  // The record of a stream never goes back in time, so that "as of" is always a prefix of it.
  const metadata = metadataOf(context, now > lastRecordedAt ? now : lastRecordedAt);
  let hash = headHash;
  return decided.map((event, index) => {
    const encoded = encodeEvent(decider.vocabulary, event, randomUUID(), metadata);
    if (decider.seal === undefined) return encoded;
    hash = decider.seal(hash, { ...encoded, revision: revision + 1n + BigInt(index) });
    return { ...encoded, metadata: { ...encoded.metadata, hash } };
  });
}

/** Member by member: objects spread out of each other cost several times as much, for every event there is. */
function metadataOf(context: CommandContext, recordedAt: string): EventMetadata {
  const { workspaceId, actor, commandId, correlationId, causationId, traceparent } = context;
  const metadata: { [name: string]: string } = {};
  if (workspaceId !== null) metadata['workspaceId'] = String(workspaceId);
  metadata['actorKind'] = actor.kind;
  metadata['actorId'] = actor.id;
  metadata['commandId'] = commandId;
  metadata['correlationId'] = correlationId;
  if (causationId !== undefined) metadata['causationId'] = causationId;
  if (traceparent !== undefined) metadata['traceparent'] = traceparent;
  metadata['recordedAt'] = recordedAt;
  return metadata;
}

function sizeOf(event: NewEvent): number {
  return Buffer.byteLength(JSON.stringify(event.data)) + Buffer.byteLength(JSON.stringify(event.metadata));
}
