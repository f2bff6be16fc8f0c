import { fromStored, toStored, type Credits } from '#kernel/values/credits.js';
import type { EventOf } from '#kernel/events/event.js';
import type { ScheduleEvents, ScheduleOwner } from './schedule.events.js';

/** A weekly schedule as it is asked for. */
export type WantedSchedule = {
  /** What each of its launches may spend at most (QUO-02). null: no limit; absent: a limit that is there stays. */
  readonly maxCredits?: Credits | null;
};

/** The schedule of an agent or setup as it is; both are null while it is off. */
export type KeptSchedule = {
  /** When it was switched on. */
  readonly scheduleAnchorAt: string | null;
  /** What each of its launches may spend at most; null: what balance and caps allow. */
  readonly scheduleMaxCredits: Credits | null;
};

export const noSchedule = { scheduleAnchorAt: null, scheduleMaxCredits: null, lastTickAt: null } as const;

/** The state of a schedule right after it is switched on: its limit has an entry of its own. */
export const switchedOn = (anchorAt: string) => ({ ...noSchedule, scheduleAnchorAt: anchorAt });

/** The limit that an entry sets. */
export const limitedTo = ({
  maxCredits,
}: ScheduleEvents['ScheduleLimitSet']): Pick<KeptSchedule, 'scheduleMaxCredits'> => ({
  scheduleMaxCredits: maxCredits === null ? null : fromStored(maxCredits),
});

/**
 * The entries that make a schedule what is wanted, null: off. Switched on again while it is on, its anchor stays where it is
 * (OP-17); a limit can be set, changed and taken away (null) while it is on, and goes when it is switched off.
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
