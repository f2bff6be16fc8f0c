import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The counts of a day (UTC) of a workspace, or of one of its agents or setups. */
export type DetectionDayDocument = {
  readonly workspaceId: number;
  /** Agent or setup; 0 for the whole workspace. */
  readonly sourceId: number;
  /** `2026-06-01`. */
  readonly day: string;
  /** Detections with a signal date on this day. */
  readonly signals: number;
  /** Top-priority detections made on this day. */
  readonly topDetected: number;
  /** The same for each hour of the day, for periods that do not begin at midnight. */
  readonly topDetectedByHour: readonly number[];
  /** Credits held for it on this day, including released holds: micro-credits as stored text. */
  readonly creditsHeld: string;
};

export const WHOLE_WORKSPACE = 0;

export const dayOf = (at: string): string => at.slice(0, 10);
export const hourOf = (at: string): number => Number(at.slice(11, 13));

type Payloads = Pick<SignalRunEvents, 'SignalDetected'> & Pick<CreditPayloads, 'CreditsHeld'>;

export const detectionDayKey = (workspaceId: number, sourceId: number, day: string): string =>
  `${workspaceId}_${sourceId}_${day}`;

/**
 * Roll-ups for periods of 90 days and more: a period is read from a few days of these, and from the detections of its
 * first and last day.
 */
export const detectionDays = projection<DetectionDayDocument, Payloads>()({
  name: 'detection-days',
  version: 2,
  indexes: {
    signals: ['workspaceId', 'sourceId', 'day', 'signals'],
    topDetected: ['workspaceId', 'sourceId', 'day', 'topDetected'],
    creditsHeld: ['workspaceId', 'sourceId', 'day', 'creditsHeld'],
  },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    if (event.type === 'CreditsHeld') {
      const { setupId } = event.data.cause;
      return setupId === undefined ? null : detectionDayKey(workspaceId, setupId, dayOf(recordedAtOf(event)));
    }
    const days = [event.data.signalDate ?? recordedAtOf(event), recordedAtOf(event)].map(dayOf);
    const sources = [WHOLE_WORKSPACE, event.data.setupId ?? event.data.agentId ?? WHOLE_WORKSPACE];
    return sources.flatMap((sourceId) => days.map((day) => detectionDayKey(workspaceId, sourceId, day)));
  },
  on: {
    SignalDetected: (before, event, key) => {
      const { signalDate, priority } = event.data;
      const day = opened(before, key);
      const detectedAt = recordedAtOf(event);
      const isTopOfDay = priority === 1 && dayOf(detectedAt) === day.day;
      return {
        ...day,
        signals: day.signals + (dayOf(signalDate ?? detectedAt) === day.day ? 1 : 0),
        ...(isTopOfDay ? withTopDetected(day, hourOf(detectedAt)) : {}),
      };
    },
    CreditsHeld: (before, event, key) => {
      const day = opened(before, key);
      return { ...day, creditsHeld: toStored(fromStored(day.creditsHeld) + fromStored(event.data.credits)) };
    },
  },
});

function withTopDetected({ topDetected, topDetectedByHour }: DetectionDayDocument, hour: number) {
  return {
    topDetected: topDetected + 1,
    topDetectedByHour: topDetectedByHour.with(hour, (topDetectedByHour[hour] ?? 0) + 1),
  };
}

function opened(before: DetectionDayDocument | null, key: string): DetectionDayDocument {
  if (before !== null) return before;
  const [workspaceId, sourceId, day = ''] = key.split('_');
  return {
    workspaceId: Number(workspaceId),
    sourceId: Number(sourceId),
    day,
    signals: 0,
    topDetected: 0,
    topDetectedByHour: new Array<number>(24).fill(0),
    creditsHeld: '0',
  };
}
