import { firstAbort } from '#kernel/commands/first-abort.js';
import { processContext } from '#kernel/commands/process-context.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { canonicalJson } from '#kernel/values/json.js';
import { sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { memoryAmong } from './added-again.js';
import { moveSource, recordTerms, source as sourceStream } from './domain/source.js';
import type { PoliteClient } from './polite-client.js';
import { pollKey, type PollMemory } from './poll-memory.js';
import { pollSource, type Polled, type PollOptions, type PollParts } from './poll-source.js';
import { recordedTerms } from './recorded-terms.js';
import { kindOf } from './source-kinds.js';
import { sourcesAt } from './sources-at.js';

export type SourcePollsParts = Omit<PollParts, 'sourceAt'> & {
  readonly readModels: Pick<ReadModels, 'find'>;
  readonly commands: Pick<Commands, 'handle'>;
  /** False: sources of providers wait. */
  readonly mayAsk: boolean;
  /** Calls back whenever the view has changed. Returns a function that unsubscribes. */
  readonly watch: (views: readonly string[], moved: () => void) => () => void;
  /** Called after each poll of this process, with the bytes that it read. */
  readonly onPolled: (kind: string, memory: PollMemory, bytes: number) => void;
  readonly onError: (source: SourceDocument | null, error: unknown) => void;
};

const SLOTS = 16;
/** The minimum time between the starts of two polls: when many are due, requests are served in between. */
const BETWEEN_STARTS_MS = 20;
/**
 * Sources that failed, were slow or never answered use at most this many slots, so that they do not delay healthy
 * ones.
 */
const SLOTS_OF_TROUBLED = 8;
const SLOW_MS = 15_000;
/** The interval of looking for polls by other processes and operators. */
const LOOK_EVERY_MS = 60_000;
const LOOKED_AT_ONCE = 500;
/** The wait for a source that another process has claimed, or that could not be polled. */
const AGAIN_MS = 60_000;

type Planned = {
  readonly source: SourceDocument;
  readonly host: string;
  readonly isTroubled: boolean;
  dueAtMs: number;
};

type InHand = {
  readonly planned: Planned;
  readonly done: Promise<void>;
  /** Aborts the poll: the source was paused or removed. */
  readonly leave: () => void;
};

export type SourcePolls = ReturnType<typeof sourcePolls>;

/**
 * The polls of all sources, in a lane of their own. Workers share them by claims in the network store. Sources of one
 * host are polled one after the other, so that a slow host occupies only one slot of a worker.
 */
export function sourcePolls(parts: SourcePollsParts) {
  const { network, readModels, nowMs, onError } = parts;
  const stopping = new AbortController();
  const inHand = new Map<number, InHand>();
  let plan = new Map<number, Planned>();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;
  let isStale = true;
  let timer: NodeJS.Timeout | null = null;
  let unwatch = (): void => undefined;
  let looking: Promise<void> | null = null;

  async function polled(source: SourceDocument, options: PollOptions): Promise<Polled> {
    // An operator who asks for a poll looks at the source next, so the read model is awaited for that one only.
    await recordNewTerms(parts, source, options);
    let bytes = 0;
    const client: PoliteClient = {
      async get(url, asked) {
        const answer = await parts.client.get(url, asked);
        if (answer.outcome === 'read') bytes += answer.body.bytes.byteLength;
        return answer;
      },
    };
    const sourceAt = (of: SourceDocument, url: string) => otherAt(readModels, of, url);
    const outcome = await pollSource({ ...parts, client, sourceAt }, source, options);
    if (outcome.outcome === 'polled') parts.onPolled(source.kind, outcome.memory, bytes);
    if (outcome.outcome === 'polled' && outcome.movedTo !== null)
      await move(parts, source, outcome.movedTo, options);
    return outcome;
  }

  /** The sources to poll and their times, read from the stores. */
  async function look(): Promise<void> {
    isStale = false;
    lookedAtMs = nowMs();
    const found = new Map<number, Planned>();
    for (let after = 0; ;) {
      const some: readonly SourceDocument[] = await readModels.find<SourceDocument>(sources, {
        where: { status: 'active', id: { gt: after } },
        sort: [['id', 'asc']],
        limit: LOOKED_AT_ONCE,
      });
      const memories = await network.polls.memories(some.map(pollKey));
      for (const source of some) {
        const kind = kindOf(source.kind);
        // A later version has more kinds: its workers poll them.
        if (kind === null || (!parts.mayAsk && !kind.isFile)) continue;
        const memory = memoryAmong(memories, source);
        const { nextPollAtMs: dueAtMs, failures, tookMs, lastSuccessAtMs } = memory;
        const isTroubled = failures > 0 || tookMs > SLOW_MS || lastSuccessAtMs === null;
        found.set(source.id, { source, host: kind.hostOf(source), isTroubled, dueAtMs });
      }
      if (some.length < LOOKED_AT_ONCE) break;
      after = some.at(-1)?.id ?? after;
    }
    plan = found;
    for (const [id, { leave }] of inHand) if (!found.has(id)) leave();
  }

  function start(planned: Planned): void {
    const { source } = planned;
    const leaving = new AbortController();
    const { signal, end } = firstAbort(stopping.signal, leaving.signal);
    const work = polled(source, { isAsked: false, signal }).then(
      (outcome) => {
        planned.dueAtMs = outcome.outcome === 'in hand' ? nowMs() + AGAIN_MS : outcome.memory.nextPollAtMs;
      },
      (error: unknown) => {
        planned.dueAtMs = nowMs() + AGAIN_MS;
        if (!signal.aborted) onError(source, error);
      },
    );
    const done = work.then(() => {
      end();
      inHand.delete(source.id);
      const now = plan.get(source.id);
      if (now !== undefined) now.dueAtMs = planned.dueAtMs;
      wake(0);
    });
    inHand.set(source.id, { planned, done, leave: () => leaving.abort() });
  }

  async function turn(): Promise<void> {
    try {
      if (isStale || nowMs() - lookedAtMs >= LOOK_EVERY_MS) await look();
    } catch (error) {
      lookedAtMs = nowMs();
      if (!stopping.signal.aborted) onError(null, error);
    }
    if (stopping.signal.aborted) return;
    const due = longestDue(
      plan.values(),
      [...inHand.values()].map(({ planned }) => planned),
      nowMs(),
    );
    if (due !== null) {
      const waitMs = startedAt + BETWEEN_STARTS_MS - performance.now();
      if (waitMs <= 0) {
        startedAt = performance.now();
        start(due);
      }
      wake(waitMs > 0 ? waitMs : BETWEEN_STARTS_MS);
      return;
    }
    let untilMs = LOOK_EVERY_MS;
    // A due source without a free slot is looked at when one is free.
    for (const { source, dueAtMs } of plan.values())
      if (!inHand.has(source.id) && dueAtMs > nowMs()) untilMs = Math.min(untilMs, dueAtMs - nowMs());
    wake(untilMs);
  }

  function wake(inMs: number): void {
    if (timer !== null) clearTimeout(timer);
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      looking = (looking ?? Promise.resolve()).then(turn);
    }, inMs).unref();
  }

  return {
    start(): void {
      unwatch = parts.watch([sources.name], () => {
        isStale = true;
        wake(0);
      });
      wake(0);
    },
    /** Aborts running polls at their next step, and starts no other. */
    async stop(): Promise<void> {
      stopping.abort();
      unwatch();
      if (timer !== null) clearTimeout(timer);
      await looking;
      await Promise.all([...inHand.values()].map(({ done }) => done));
    },
    /** Polls one source now, for an operator. */
    poll: polled,
  };
}

/** The source that has been due longest, among those with a free slot; null: none. */
function longestDue(plan: Iterable<Planned>, running: readonly Planned[], nowMs: number): Planned | null {
  if (running.length >= SLOTS) return null;
  const ids = new Set(running.map(({ source }) => source.id));
  const hosts = new Set(running.map(({ host }) => host));
  const mayTrouble = running.filter(({ isTroubled }) => isTroubled).length < SLOTS_OF_TROUBLED;
  let longest: Planned | null = null;
  for (const planned of plan) {
    const { source, host, isTroubled, dueAtMs } = planned;
    if (dueAtMs > nowMs || ids.has(source.id) || hosts.has(host) || (isTroubled && !mayTrouble)) continue;
    if (longest === null || dueAtMs < longest.dueAtMs) longest = planned;
  }
  return longest;
}

async function otherAt(
  readModels: Pick<ReadModels, 'find'>,
  { id, kind }: SourceDocument,
  url: string,
): Promise<SourceDocument | null> {
  const found = await sourcesAt(readModels, kind, url);
  return found.find((other) => other.id !== id && other.status !== 'removed') ?? null;
}

const contextOf = (commandId: string) => processContext('poll-sources', null, commandId);

/** Records terms that were read again, before anything is read under them. */
async function recordNewTerms(
  { commands, now }: SourcePollsParts,
  { id, kind, terms }: SourceDocument,
  { isAsked }: PollOptions,
): Promise<void> {
  const known = kindOf(kind);
  if (known === null) return;
  // Terms that an operator has read take precedence over terms that this version could not read.
  if (known.terms.readOn === null && terms.readOn !== null) return;
  const current = recordedTerms(known.terms);
  if (canonicalJson(current) === canonicalJson(terms)) return;
  const context = contextOf(`terms:${id}:${current.readOn}`);
  await commands.handle(sourceStream, String(id), recordTerms(current, now().toISOString()), {
    context,
    waitForReadModels: isAsked,
  });
}

async function move(
  { commands, now }: SourcePollsParts,
  { id }: SourceDocument,
  url: string,
  { isAsked }: PollOptions,
): Promise<void> {
  await commands.handle(sourceStream, String(id), moveSource(url, now().toISOString()), {
    context: contextOf(`moved:${id}:${url}`),
    waitForReadModels: isAsked,
  });
}
