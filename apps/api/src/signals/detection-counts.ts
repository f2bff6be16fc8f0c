import type { Condition, ReadModels } from '#kernel/ports/read-store.port.js';
import {
  dayOf,
  detectionDayKey,
  detectionDays,
  hourOf,
  WHOLE_WORKSPACE,
} from '#projections/signals/detection-days/detection-days.projection.js';
import { detections } from '#projections/signals/detections/detections.projection.js';

const startOfDay = (at: string): string => `${dayOf(at)}T00:00:00.000Z`;
const startOfHour = (at: string): string => `${at.slice(0, 13)}:00:00.000Z`;
const endOfDay = (at: string): string => `${dayOf(at)}T23:59:59.999Z`;

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

export type SignalPeriod = {
  readonly workspaceId: number;
  /** Agent or setup; null for all. */
  readonly sourceId: number | null;
  /** Inclusive bounds of the signal date; an open end is null. */
  readonly from: string;
  readonly to: string | null;
};

/**
 * Counts detections by the date of their signal: whole days from the roll-up, minus the parts of the first and last
 * day outside of the range.
 */
export async function countSignals(
  readModels: ReadModels,
  { workspaceId, sourceId, from, to }: SignalPeriod,
): Promise<number> {
  if (to !== null && to < from) return 0;
  const where: { readonly [field: string]: Condition } =
    sourceId === null ? { workspaceId } : { workspaceId, sourceId };
  const countAt = (signalAt: Condition) => readModels.count(detections, { where: { ...where, signalAt } });
  const day = { gte: dayOf(from), ...(to === null ? {} : { lte: dayOf(to) }) };
  const [[whole], before, after] = await Promise.all([
    readModels.groups(
      detectionDays,
      { where: { workspaceId, sourceId: sourceId ?? WHOLE_WORKSPACE, day } },
      { by: [], sum: 'signals' },
    ),
    countAt({ gte: startOfDay(from), lt: from }),
    to === null ? 0 : countAt({ gt: to, lte: endOfDay(to) }),
  ]);
  // The two models are read one after the other, so a detection recorded in between is in one of them only.
  return Math.max(0, Number(whole?.sum ?? 0n) - before - after);
}

export type SetupPeriod = { readonly workspaceId: number; readonly setupId: number };

/** The number of top-priority detections of a setup before each of these times, counted from the first day on. */
export async function topDetectedBefore(
  readModels: ReadModels,
  { workspaceId, setupId }: SetupPeriod,
  borders: readonly { readonly at: string; readonly inclusive: boolean }[],
): Promise<readonly number[]> {
  const days = borders.map(({ at }) => dayOf(at));
  const found = await readModels.groups(
    detectionDays,
    { where: { workspaceId, sourceId: setupId, day: { gte: days[0] ?? '', lte: days.at(-1) ?? '' } } },
    { by: ['day'], sum: 'topDetected' },
  );
  const perDay = new Map(found.map(({ by: [day], sum }) => [String(day), Number(sum)]));
  const keyOf = (day: string): string => detectionDayKey(workspaceId, setupId, day);
  const busyDays = days.filter((day) => (perDay.get(day) ?? 0) > 0);
  const divided = await readModels.getMany(detectionDays, busyDays.map(keyOf));
  return Promise.all(
    borders.map(async ({ at, inclusive }) => {
      const [day, hour] = [dayOf(at), hourOf(at)];
      const perHour = divided.get(keyOf(day))?.topDetectedByHour ?? [];
      const earlier =
        total([...perDay].map(([known, count]) => (known < day ? count : 0))) + total(perHour.slice(0, hour));
      if ((perHour[hour] ?? 0) === 0) return earlier;
      const detectedAt = { gte: startOfHour(at), ...(inclusive ? { lte: at } : { lt: at }) };
      return (
        earlier +
        (await readModels.count(detections, { where: { workspaceId, setupId, priority: 1, detectedAt } }))
      );
    }),
  );
}
