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
        /** Items that are due; those of blocked or parked workspaces are among them and wait. */
        items: Type.Integer({ minimum: 0 }),
        /** When the oldest item that does not wait fell due; null where none is due or its process knows no time. */
        oldest_since: Nullable(Timestamp),
      }),
    ),
    /** When anything falls due next; null where nothing is to. */
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
