import { refusal } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { described } from '../support/inputs.js';
import { operatorCommand, type OperatorHost } from '../support/operator-command.js';
import { readInstant } from '../support/read-instant.js';
import { drained } from '../work/work-drain.js';

const clockIsNotManual = refusal({
  code: 'clock-is-not-manual',
  kind: 'conflicting',
  detail: 'The clock of this service is the system clock; start it with CLOCK=manual.',
});

const output = Type.Object({ now: Type.String() });

export const clockSet = operatorCommand({
  name: 'clock.set',
  summary: 'Set the manual clock (CLOCK=manual)',
  doesDueWork: true,
  input: Type.Object({ now: described('date and time', Type.String({ format: 'date-time' })) }),
  output,
  async run(host, { now }) {
    const to = new Date(readInstant(now, 'now'));
    return moveClock(host, () => to);
  },
});

type MovableClock = NonNullable<OperatorHost['manualClock']>;

/** The last move of each clock of this process. */
const moves = new WeakMap<MovableClock, Promise<unknown>>();

/**
 * Moves the manual clock forward, stopping at every time at which something falls due. Moves of one process run one
 * after the other, and `target` is called when it is the turn of this one: two at once would set the clock back.
 */
export async function moveClock(host: OperatorHost, target: () => Date): Promise<{ readonly now: string }> {
  const { manualClock } = host;
  if (manualClock === null) throw clockIsNotManual();
  const before = moves.get(manualClock) ?? Promise.resolve();
  const move = before.catch(() => undefined).then(() => moveTo(host, manualClock, target()));
  moves.set(manualClock, move);
  return move;
}

async function moveTo(
  host: OperatorHost,
  manualClock: MovableClock,
  to: Date,
): Promise<{ readonly now: string }> {
  await drained(host.work);
  for (;;) {
    const due = await manualClock.nextDueAt();
    if (due === null || due > to) break;
    if (due > host.clock.now()) await manualClock.set(due);
    await drained(host.work);
  }
  await manualClock.set(to);
  await drained(host.work);
  return { now: host.clock.now().toISOString() };
}
