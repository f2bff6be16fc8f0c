import type { Commands } from '#kernel/commands/commands.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { inPart, unfollowed, type Step, type Tracing } from '#kernel/ports/tracing.port.js';
import type { Researcher } from '#signals/detection/research/researcher.port.js';
import type { NetworkStore } from '#network/network-store.js';
import type { Process } from '#process-engine/process.js';
import type { AroundSlice } from '#projection-engine/project-batch.js';
import { appendAttempts } from './append-attempts.js';
import { tracedCalls, tracedNetwork } from './traced-calls.js';
import { tracedCommands } from './traced-commands.js';
import { tracedEventStore } from './traced-event-store.js';
import { tracedProcesses, type CauseReader } from './traced-processes.js';
import { tracedSlices } from './traced-slices.js';

/** The traced versions of the parts of the host. */
export type TracedParts = {
  readonly eventStore: (events: EventStore) => EventStore;
  readonly network: (network: NetworkStore) => NetworkStore;
  readonly researcher: (researcher: Researcher) => Researcher;
  readonly commands: <Path extends Commands>(commands: Path) => Path;
  readonly processes: (processes: readonly Process[], events: CauseReader) => readonly Process[];
  readonly aroundSlice: AroundSlice | undefined;
  /** A part of what a process does. */
  readonly step: Step;
};

const NOBODY: TracedParts = {
  eventStore: (events) => events,
  network: (network) => network,
  researcher: (researcher) => researcher,
  commands: (commands) => commands,
  processes: (processes) => processes,
  aroundSlice: undefined,
  step: unfollowed,
};

/** Without tracing every part is unchanged: there is no wrapper. */
export function following(tracing: Tracing | null): TracedParts {
  if (tracing === null) return NOBODY;
  const attempts = appendAttempts();
  return {
    eventStore: (events) => tracedEventStore(events, tracing, attempts),
    network: (network) => tracedNetwork(network, tracing),
    researcher: (researcher) => tracedCalls(researcher, 'researcher', ['research'], tracing),
    commands: (commands) => ({ ...commands, ...tracedCommands(commands, tracing, attempts) }),
    processes: (processes, events) => tracedProcesses(processes, tracing, events),
    aroundSlice: tracedSlices(tracing),
    step: (name, facts, work) => inPart(tracing, { name, facts }, work),
  };
}
