import { Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { operatorCommand } from '../support/operator-command.js';

export const workDue = operatorCommand({
  name: 'work.due',
  summary: 'List the due background work by process, with the time of the oldest due item',
  input: Type.Object({}),
  output: Type.Object({
    processes: Type.Array(
      Type.Object({
        process: Type.String(),
        /** The number of due items, including waiting items of blocked or parked workspaces. */
        items: Type.Integer({ minimum: 0 }),
        /** When the oldest item that does not wait fell due; null if none is due or the process has no due times. */
        oldest_since: Nullable(Timestamp),
      }),
    ),
    /** The next time at which an item falls due; null if there is none. */
    next_due_at: Nullable(Timestamp),
  }),
  async run({ work }) {
    const [due, next] = await Promise.all([work.due(), work.nextDueAt()]);
    return {
      processes: due.map(({ name, items, oldestSince }) => ({
        process: name,
        items,
        oldest_since: oldestSince?.toISOString() ?? null,
      })),
      next_due_at: next?.toISOString() ?? null,
    };
  },
});
