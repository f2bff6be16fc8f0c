import { fieldError } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#kernel/values/durations.js';
import { invalidInput } from '../support/amounts.js';
import { moveClock } from './clock-set.js';
import { described } from '../support/inputs.js';
import { operatorCommand } from '../support/operator-command.js';

const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const UNITS_MS = [7 * DAY_MS, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS] as const;
/** The end of the times that RFC 3339 can write. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

export const clockAdvance = operatorCommand({
  name: 'clock.advance',
  summary: 'Move the manual clock forward through every due time (CLOCK=manual)',
  doesDueWork: true,
  input: Type.Object({
    ms: Type.Optional(described('milliseconds', Type.Integer({ minimum: 0 }))),
    duration: Type.Optional(Type.String({ description: 'ISO 8601, e.g. P7D or PT1H' })),
  }),
  output: Type.Object({ now: Type.String() }),
  async run(host, { ms, duration }) {
    const step = ms ?? (duration === undefined ? null : durationMs(duration));
    if (step === null)
      throw invalidInput({ errors: fieldError('ms', 'or an ISO 8601 duration is required') });
    return moveClock(host, () => {
      const to = host.clock.now().getTime() + step;
      if (to <= LAST_MS) return new Date(to);
      throw invalidInput({
        errors: fieldError(ms === undefined ? 'duration' : 'ms', 'must end before the year 10000'),
      });
    });
  },
});

/** Milliseconds of weeks, days, hours, minutes and seconds; months and years have no fixed length. */
function durationMs(text: string): number {
  const match = DURATION.exec(text);
  if (match === null || text === 'P' || text.endsWith('T')) {
    throw invalidInput({
      errors: fieldError('duration', 'must be an ISO 8601 duration such as P7D or PT1H'),
    });
  }
  return UNITS_MS.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? '0'), 0);
}
