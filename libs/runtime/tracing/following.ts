import type { Commands } from '#kernel/commands/commands.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { Tracing } from '#kernel/ports/tracing.port.js';
import type { Process } from '#processes/process.js';
import type { AroundSlice } from '#projection-engine/project-batch.js';
import { appendAttempts } from './append-attempts.js';
import { tracedCommands } from './traced-commands.js';
import { tracedEventStore } from './traced-event-store.js';
import { tracedProcesses } from './traced-processes.js';
import { tracedSlices } from './traced-slices.js';

/** The parts of the house as they are where somebody follows them. */
export type Following = {
  readonly eventStore: (events: EventStore) => EventStore;
  readonly commands: <Path extends Commands>(commands: Path) => Path;
  readonly processes: (
    processes: readonly Process[],
    events: Pick<EventStore, 'lastEvent'>,
  ) => readonly Process[];
  readonly aroundSlice: AroundSlice | undefined;
};

const NOBODY: Following = {
  eventStore: (events) => events,
  commands: (commands) => commands,
  processes: (processes) => processes,
  aroundSlice: undefined,
};

/** Without tracing every part is the very one that it was: nothing stands in between. */
export function following(tracing: Tracing | null): Following {
  if (tracing === null) return NOBODY;
  const attempts = appendAttempts();
  return {
    eventStore: (events) => tracedEventStore(events, tracing, attempts),
    commands: (commands) => ({ ...commands, ...tracedCommands(commands, tracing, attempts) }),
    processes: (processes, events) => tracedProcesses(processes, tracing, events),
    aroundSlice: tracedSlices(tracing),
  };
}
