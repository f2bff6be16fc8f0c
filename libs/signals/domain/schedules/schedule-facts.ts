import { fromStored, toStored, type Credits } from '#kernel/values/credits.js';
import type { EventOf } from '#kernel/events/event.js';
import type { ScheduleEvents, ScheduleOwner } from './schedule.events.js';

/** A requested weekly schedule. */
export type WantedSchedule = {
  /** The limit of each launch (QUO-02). null: no limit; absent: an existing limit stays. */
  readonly maxCredits?: Credits | null;
};

/** The current schedule of an agent or setup; both members are null while it is off. */
export type KeptSchedule = {
  /** When it was switched on. */
  readonly scheduleAnchorAt: string | null;
  /** The limit of each launch; null: only balance and caps limit it. */
  readonly scheduleMaxCredits: Credits | null;
};

export const noSchedule = { scheduleAnchorAt: null, scheduleMaxCredits: null, lastTickAt: null } as const;

/** The state of a schedule right after it is switched on; its limit is set by a separate event. */
export const switchedOn = (anchorAt: string) => ({ ...noSchedule, scheduleAnchorAt: anchorAt });

/** The limit that an event sets. */
export const limitedTo = ({
  maxCredits,
}: ScheduleEvents['ScheduleLimitSet']): Pick<KeptSchedule, 'scheduleMaxCredits'> => ({
  scheduleMaxCredits: maxCredits === null ? null : fromStored(maxCredits),
});

/**
 * The events that change a schedule to the requested one, null: off. Switched on again while it is on, it keeps its
 * anchor (OP-17). A limit can be set, changed and removed (null) while the schedule is on, and is removed when it is
 * switched off.
 */
export function scheduleChange(
  owner: ScheduleOwner,
  { scheduleAnchorAt, scheduleMaxCredits }: KeptSchedule,
  wanted: WantedSchedule | null,
  now: string,
): readonly EventOf<ScheduleEvents>[] {
  const isOn = scheduleAnchorAt !== null;
  if (wanted === null)
    return isOn ? [{ type: 'ScheduleSwitchedOff', data: { ...owner, switchedOffAt: now } }] : [];
  const { maxCredits = scheduleMaxCredits } = wanted;
  return [
    ...(isOn
      ? []
      : [
          {
            type: 'ScheduleSwitchedOn' as const,
            data: { ...owner, cadence: 'weekly' as const, anchorAt: now },
          },
        ]),
    ...(maxCredits === scheduleMaxCredits
      ? []
      : [
          {
            type: 'ScheduleLimitSet' as const,
            data: { ...owner, maxCredits: maxCredits === null ? null : toStored(maxCredits) },
          },
        ]),
  ];
}
