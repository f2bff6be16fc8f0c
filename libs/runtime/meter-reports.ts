import { Refusal } from '#kernel/values/refusal.js';
import type { SourceDeskParts } from '#sources/source-desk.js';
import type { TroubleLog } from './background-work.js';
import type { Meter } from './metrics/service-meter.js';

/** Reports polls to a meter. */
export const pollReporter =
  (meter: Meter | null): SourceDeskParts['onPolled'] =>
  (kind, { failures, added, changed, lastPollAtMs, lastSuccessAtMs }, bytes) => {
    const isRead = failures === 0 && lastPollAtMs === lastSuccessAtMs;
    const items = isRead ? added + changed : 0;
    meter?.polled({ kind, outcome: isRead ? 'read' : 'failed', items, bytes });
  };

/** Reports late read models to a meter and to the log. */
export const latenessReporter =
  (meter: Meter | null, onTrouble: TroubleLog) =>
  (stream: string): void => {
    meter?.readModelsLate();
    onTrouble(`read models of ${stream} were late`, null);
  };

/** Reports refusals of commands to a meter. */
export const refusalReporter =
  (meter: Meter | null) =>
  (error: unknown): void => {
    if (error instanceof Refusal) meter?.refused(error.declaration.code);
  };
