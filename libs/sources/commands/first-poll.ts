import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import type { Static } from '#kernel/values/schema.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { loadMemory } from '../added-again.js';
import { pollKey, type PollMemory } from '../poll-memory.js';
import type { NewSource } from './new-source.js';
import { oneSource } from './one-source.js';
import { laterAnswer, pollAnswer, pollNow, type PollAnswer } from './source-poll.js';

type PollHost = Pick<OperatorHost, 'sources' | 'network' | 'readModels'>;

const HELD_MS = 60_000;
const LOOK_EVERY_MS = 200;

/**
 * Claims a source while it is being recorded, so that workers do not poll it and the operator sees its first reading.
 */
export async function heldBack<Result>(
  { network: { polls } }: PollHost,
  source: NewSource,
  record: () => Promise<Result>,
): Promise<Result> {
  const [key, holder] = [pollKey(source), `first poll ${randomUUID()}`];
  // Null: another request is adding it at the same time.
  const claim = await polls.claim(key, holder, Date.now(), Date.now() + HELD_MS);
  try {
    return await record();
  } finally {
    if (claim !== null) await polls.settle(key, holder, claim.memory ?? {});
  }
}

/** Polls it now. If a worker was faster, waits until that poll is done. */
export async function firstPoll(
  host: PollHost,
  sourceId: number,
  onProgress: OnProgress,
): Promise<Static<typeof PollAnswer>> {
  const source = await oneSource(host, sourceId);
  const memory = (): Promise<PollMemory> => loadMemory(host.network.polls, source);
  const { lastPollAtMs: before } = await memory();
  for (;;) {
    const polled = await pollNow(host, source, onProgress);
    if (polled.outcome === 'too early') return laterAnswer(polled.memory);
    if (polled.outcome === 'polled') return pollAnswer(polled.memory);
    onProgress({ done: 0, total: null, note: 'a worker polls it' });
    await delay(LOOK_EVERY_MS);
    // The claim of a worker that has ended expires after a while; then it is polled here.
    const left = await memory();
    if (left.lastPollAtMs !== before) return pollAnswer(left);
  }
}
