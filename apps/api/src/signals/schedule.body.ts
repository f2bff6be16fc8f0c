import { IsIn, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { MOST_CREDITS, parseCredits } from '#kernel/values/credits.js';
import { note, type Faults } from '#kernel/values/faults.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { WantedSchedule } from '#signals/domain/schedules/schedule-facts.js';
import { IsNullable } from '#http/body.js';
import { invalidRequest } from '#http/problem.js';
import { isJsonObject } from '../patch-fields.js';

/** A weekly schedule in the body of a new agent or setup. */
export class ScheduleBody {
  @IsIn(['weekly'])
  cadence: 'weekly';

  @IsOptional()
  @IsNullable()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @Min(0)
  @Max(MOST_CREDITS)
  max_credits?: number | null;
}

/** The schedule in the body of a new agent or setup; null: none. Throws 422 if the limit has too many decimals. */
export function wantedSchedule(body: ScheduleBody | null | undefined): WantedSchedule | null {
  if (!body) return null;
  const faults: Faults = new Map();
  const schedule = withLimit(body.max_credits, faults);
  if (faults.size > 0) throw invalidRequest('body', 422, faults);
  return schedule;
}

/** The JSON Schema of the value that `readSchedule` reads. */
export const SCHEDULE_FIELD: JsonObject = {
  type: ['object', 'null'],
  properties: {
    cadence: { enum: ['weekly'] },
    max_credits: { type: ['number', 'null'], minimum: 0, maximum: MOST_CREDITS },
  },
  required: ['cadence'],
};

/** Reads the schedule of a change after its resource was found (OP-01); adds the faults. */
export function readSchedule(value: unknown, faults: Faults): WantedSchedule | null {
  if (value === null) return null;
  if (!isJsonObject(value)) {
    note(faults, 'schedule', 'must be an object or null');
    return {};
  }
  if (!Object.hasOwn(value, 'cadence')) note(faults, 'schedule.cadence', 'is required');
  else if (value['cadence'] !== 'weekly') note(faults, 'schedule.cadence', 'must be one of weekly');
  return withLimit(value['max_credits'], faults);
}

function withLimit(sent: unknown, faults: Faults): WantedSchedule {
  if (sent === undefined) return {};
  if (sent === null) return { maxCredits: null };
  const maxCredits = parseCredits(sent);
  const fault =
    typeof sent !== 'number'
      ? 'must be a number or null'
      : sent < 0
        ? 'must be at least 0'
        : sent > MOST_CREDITS
          ? `must be at most ${MOST_CREDITS}`
          : maxCredits === null
            ? 'must have at most six decimals'
            : null;
  if (fault !== null) note(faults, 'schedule.max_credits', fault);
  return { maxCredits };
}
