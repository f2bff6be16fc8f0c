import type { Commands } from '#kernel/commands/commands.js';
import { streamName, type CommandContext } from '#kernel/commands/decider.js';
import { inSpan, isSampled, type Tracing } from '#kernel/ports/tracing.port.js';
import type { AppendAttempts } from './append-attempts.js';

/**
 * Commands traced as part of their caller's trace; the metadata of their events contain the trace context. A command
 * without a traced caller is not traced: a command starts no trace.
 */
export function tracedCommands(commands: Commands, tracing: Tracing, attempts: AppendAttempts): Commands {
  return {
    ...commands,
    handle: async (decider, id, decision, options) => {
      const { context } = options;
      const parent = causeOf(tracing, context);
      if (parent === null) return commands.handle(decider, id, decision, options);
      const start = {
        name: `decide ${decider.category}`,
        parent,
        facts: {
          'signal_ledger.stream': streamName(decider, id),
          'signal_ledger.command_id': context.commandId,
          'signal_ledger.actor_kind': context.actor.kind,
        },
      };
      return inSpan(tracing, start, async (span) => {
        const { traceparent } = span;
        if (traceparent === null) return commands.handle(decider, id, decision, options);
        const appends = attempts.watch(traceparent);
        try {
          const traced = { ...options, context: { ...context, traceparent } };
          const handled = await commands.handle(decider, id, decision, traced);
          span.note({ 'signal_ledger.events_appended': handled.appended });
          return handled;
        } finally {
          span.note({ 'signal_ledger.append_attempts': appends.made() });
        }
      });
    },
  };
}

/** The parent of a command: the current span or, without one, the trace context of its sender. */
function causeOf(tracing: Tracing, { traceparent }: CommandContext): string | null {
  const current = tracing.current();
  if (current !== null) return current.traceparent;
  return traceparent !== undefined && isSampled(traceparent) ? traceparent : null;
}
