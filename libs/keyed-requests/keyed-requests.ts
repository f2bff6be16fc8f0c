import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { contextOfStep, streamName, workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { DAY_MS, MINUTE_MS } from '#kernel/values/durations.js';
import type { Ids } from '#kernel/commands/ids.js';
import {
  allocateIds,
  answerRequest,
  attempt,
  isFree,
  isUnderWay,
  keptAnswer,
  mayBeDoneSince,
  releaseRequest,
  request,
  type RequestLease,
} from './request.js';
import { IDEMPOTENCY_KEY, type KeptAnswer, type KeptAnswers, type RequestClaims } from '#http/idempotency.js';
import { isDeadNeighbour, placeOfHolder } from '#projection-engine/held-lease.js';
import type { LiveKeys } from './live-keys.js';

export type KeyedRequestsParts = {
  readonly commands: Commands;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly liveKeys: LiveKeys;
  /** Names this process, see `processHolder`. */
  readonly holder: string;
  /** Real time, for leases. */
  readonly nowMs?: () => number;
};

/** The parts of the composition that differ for a request with an Idempotency-Key. */
export type KeyedRequests = {
  readonly claims: RequestClaims;
  readonly kept: KeptAnswers;
  /** The given ids; a claimed request gets the ids of its earlier attempts first. */
  readonly ids: Ids;
  /** The given commands; within a claimed request the command ids are derived from the claim and the stream. */
  readonly commands: Commands;
};

/** A key is free again after this time. */
export const KEPT_MS = DAY_MS;
/** Longer than any request takes: an attempt without an answer for this time counts as lost. */
const LEASE_MS = MINUTE_MS;
/** Longer answers are not stored: a repetition is carried out again, with the same command id and ids. */
const LONGEST_ANSWER_BYTES = 256 * 1024;

/** The running attempts of this process. */
const running = new Set<string>();

const streamOf = (workspaceId: number, key: string): string =>
  workspaceScoped(workspaceId, sha256Hex(key).slice(0, 32));

/** Claims from before this time have lapsed. */
const lapsedAt = (nowAtMs: number): string => new Date(nowAtMs - KEPT_MS).toISOString();

/** The context of the code that runs within an attempt. */
type Scope = {
  readonly stream: string;
  readonly attemptId: string;
  readonly context: CommandContext;
  /** Ids of earlier attempts that this one has not used yet. */
  readonly allocated: Map<string, number[]>;
  /** The number of commands by stream. */
  readonly sent: Map<string, number>;
};

/**
 * One for the process: Node copies every storage that was ever used to each promise, and two services in one process
 * answer different requests.
 */
const current = new AsyncLocalStorage<Scope>();

/**
 * Requests that are carried out once per key (OP-66), even after crashes. The claim is recorded first, ids before they
 * are used, and the answer before it is sent. A later attempt of a claim without an answer has the same command id and
 * the same ids, so that it finds completed work and does not repeat it.
 */
export function keyedRequests(parts: KeyedRequestsParts): KeyedRequests {
  const { clock, holder, nowMs = Date.now } = parts;

  function isHeld({ attempt: attemptId, holder: other, until }: RequestLease): boolean {
    if (Date.parse(until) <= nowMs()) return false;
    if (running.has(attemptId)) return true;
    // A lease of this process that is not running is of an earlier process with the same id, or has ended.
    return placeOfHolder(other) !== placeOfHolder(holder) && !isDeadNeighbour(other);
  }

  const claims: RequestClaims = async ({ workspaceId, apiKeyId, requestId, key, requestHash }) => {
    const [attemptId, ownCommandId] = [randomUUID(), randomUUID()];
    const [nowAtMs, stream] = [clock.now().getTime(), streamOf(workspaceId, key)];
    const lease = { attempt: attemptId, holder, until: new Date(nowMs() + LEASE_MS).toISOString() };
    const lapsedBefore = lapsedAt(nowAtMs);
    const actor = { kind: 'apiKey', id: String(apiKeyId) } as const;
    const own = { actor, workspaceId, correlationId: requestId };
    const record = { context: { ...own, commandId: attemptId }, waitForReadModels: false };
    running.add(attemptId);
    try {
      const fullForSeconds = await parts.liveKeys.fullFor(workspaceId, nowAtMs);
      const mayClaim = fullForSeconds === null;
      const { answer: found, position } = await parts.commands.handle(
        request,
        stream,
        attempt(IDEMPOTENCY_KEY, {
          requestHash,
          commandId: ownCommandId,
          lease,
          lapsedBefore,
          mayClaim,
          isHeld,
        }),
        {
          ...record,
          answer: (state) => {
            const { claim, claimedAt, allocated, answer } = state;
            const isOurs = isUnderWay(state, attemptId);
            return { claim, claimedAt, allocated, answer, isOurs, isFree: isFree(state, lapsedBefore) };
          },
        },
      );
      if (found.claim === null || !found.isOurs) {
        running.delete(attemptId);
        if (found.isFree) return { kind: 'full', retryAfterSeconds: fullForSeconds ?? 1 };
        return found.answer === null ? { kind: 'running' } : { kind: 'answered', answer: found.answer };
      }
      const { commandId } = found.claim;
      const isFirst = commandId === ownCommandId;
      if (isFirst) parts.liveKeys.claimed(workspaceId, nowAtMs);
      const allocated = new Map(Object.entries(found.allocated).map(([kind, ids]) => [kind, [...ids]]));
      const context = { ...own, commandId };
      const end = async (decision: ReturnType<typeof answerRequest>): Promise<void> => {
        const ending = { context: { ...own, commandId: randomUUID() }, waitForReadModels: false };
        try {
          await parts.commands.handle(request, stream, decision, { ...ending });
        } finally {
          running.delete(attemptId);
        }
      };
      const release = (): Promise<void> => end(releaseRequest({ attempt: attemptId }));
      return {
        kind: 'claimed',
        commandId,
        // Before the first claim, no attempt has done anything.
        mayBeDone:
          isFirst && position !== null
            ? { mayBeDoneAfter: position }
            : { mayBeDoneSince: mayBeDoneSince(found) },
        within: (work) => current.run({ stream, attemptId, context, allocated, sent: new Map() }, work),
        keep: (answer: KeptAnswer) =>
          Buffer.byteLength(answer.body) > LONGEST_ANSWER_BYTES
            ? release()
            : end(answerRequest({ attempt: attemptId, ...answer })),
        release,
      };
    } catch (error) {
      running.delete(attemptId);
      throw error;
    }
  };

  const kept: KeptAnswers = ({ workspaceId, key, requestHash }) =>
    parts.commands.load(
      request,
      streamOf(workspaceId, key),
      keptAnswer(IDEMPOTENCY_KEY, requestHash, lapsedAt(clock.now().getTime())),
    );

  async function recordIds(scope: Scope, kind: string, fresh: readonly number[]): Promise<void> {
    const { stream, attemptId, context } = scope;
    const { answer: isOurs } = await parts.commands.handle(
      request,
      stream,
      allocateIds({ attempt: attemptId, kind, ids: [...fresh] }),
      {
        context: { ...context, commandId: randomUUID() },
        waitForReadModels: false,
        answer: (state) => isUnderWay(state, attemptId),
      },
    );
    if (!isOurs) throw new StoreUnavailable(`another process has taken over ${stream}`);
  }

  /**
   * The ids of a command belong to it alone: an earlier attempt may have sent that command, and this one others instead.
   */
  async function nextMany(
    ...[kind, count, commandId]: Parameters<Ids['nextMany']>
  ): Promise<readonly number[]> {
    const scope = current.getStore();
    if (scope === undefined) return parts.ids.nextMany(kind, count);
    const use = commandId === undefined ? kind : `${kind} ${commandId}`;
    const known = scope.allocated.get(use)?.splice(0, count) ?? [];
    if (known.length === count) return known;
    const fresh = await parts.ids.nextMany(kind, count - known.length);
    await recordIds(scope, use, fresh);
    return [...known, ...fresh];
  }

  return {
    claims,
    kept,
    ids: {
      nextMany,
      async next(kind) {
        const [id] = await nextMany(kind, 1);
        if (id === undefined) throw new Error(`no id of kind ${kind} was allocated`);
        return id;
      },
    },
    commands: {
      ...parts.commands,
      handle(decider, id, decision, options) {
        const context = numbered(options.context, streamName(decider, id));
        return parts.commands.handle(decider, id, decision, { ...options, context });
      },
    },
  };
}

/**
 * A handler may send a stream several commands, always in the same order: from the second on they are numbered,
 * or the second would be taken for the first that is there already.
 */
function numbered(context: CommandContext, stream: string): CommandContext {
  const scope = current.getStore();
  if (scope === undefined || context.commandId !== scope.context.commandId) return context;
  const before = scope.sent.get(stream) ?? 0;
  scope.sent.set(stream, before + 1);
  return before === 0 ? context : contextOfStep(context, before + 1);
}
