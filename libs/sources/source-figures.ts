import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { PollStore } from '#network/poll-store.port.js';
import { sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { memoryAmong } from './added-again.js';
import { pollKey } from './poll-memory.js';
import { kindOf } from './source-kinds.js';

/** The figures of the polled sources of one kind. */
export type KindFigures = {
  readonly kind: string;
  readonly sources: number;
  /** Sources whose last poll failed. */
  readonly failing: number;
  /** Sources without items for three times their usual pause. */
  readonly withoutYield: number;
  /** The longest time since a source of this kind had items. */
  readonly oldestYieldSeconds: number;
};

const PAUSES_WITHOUT_YIELD = 3;
const AT_ONCE = 500;

/** Figures of every kind with an active source. The time of a new source is counted from when it was added. */
export async function sourceFigures(
  readModels: ReadModels,
  polls: Pick<PollStore, 'memories'>,
  nowMs: number,
): Promise<readonly KindFigures[]> {
  const byKind = new Map<string, KindFigures>();
  for (let after = 0; ;) {
    const some: readonly SourceDocument[] = await readModels.find<SourceDocument>(sources, {
      where: { status: 'active', id: { gt: after } },
      sort: [['id', 'asc']],
      limit: AT_ONCE,
    });
    const memories = await polls.memories(some.map(pollKey));
    for (const source of some) {
      const { kind } = source;
      const known = byKind.get(kind) ?? NONE(kind);
      const { lastYieldAtMs, failures } = memoryAmong(memories, source);
      const ageMs = Math.max(0, nowMs - (lastYieldAtMs ?? Date.parse(source.addedAt)));
      const isLate = ageMs > PAUSES_WITHOUT_YIELD * (kindOf(kind)?.pauseMs ?? Infinity);
      byKind.set(kind, {
        kind,
        sources: known.sources + 1,
        failing: known.failing + Number(failures > 0),
        withoutYield: known.withoutYield + Number(isLate),
        oldestYieldSeconds: Math.max(known.oldestYieldSeconds, ageMs / 1_000),
      });
    }
    if (some.length < AT_ONCE) return [...byKind.values()];
    after = some.at(-1)?.id ?? after;
  }
}

const NONE = (kind: string): KindFigures => ({
  kind,
  sources: 0,
  failing: 0,
  withoutYield: 0,
  oldestYieldSeconds: 0,
});
