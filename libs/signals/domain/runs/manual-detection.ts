import { decider, type Decision } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import type { PayloadsOf } from '#kernel/events/event.js';
import { SignalDetected } from './signal-detected.event.js';

export const manualDetectionEvents = { SignalDetected };

/** A detection that an operator added by hand; its stream has no other event. */
export type ManualDetection = { readonly exists: boolean };

export const manualDetection = decider<ManualDetection>()({
  category: 'manualDetection',
  scope: 'workspace',
  vocabulary: manualDetectionEvents,
  initial: () => ({ exists: false }),
  on: { SignalDetected: () => ({ exists: true }) },
});

const detectedInFuture = refusal({
  code: 'detected-in-future',
  kind: 'unprocessable',
  detail: 'A signal cannot be dated after its detection.',
});

/** A detection is never dated after it was recorded: the windows of all queries rely on that. */
export const addDetection =
  (
    detection: PayloadsOf<typeof manualDetectionEvents>['SignalDetected'],
    now: string,
  ): Decision<ManualDetection, typeof manualDetectionEvents> =>
  (state) => {
    if (detection.signalDate !== null && detection.signalDate > now) {
      throw detectedInFuture({ errors: new Map([['signal_date', ['must not lie in the future']]]) });
    }
    return state.exists ? [] : [{ type: 'SignalDetected', data: detection }];
  };
