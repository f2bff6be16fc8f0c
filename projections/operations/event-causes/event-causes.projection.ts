import type { ContentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import type { MappingDayEvents } from '#accounts/domain/mappings/mapping.events.js';
import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import type { AgentEvents } from '#signals/domain/agents/agent.events.js';
import type { LaunchEvents } from '#signals/domain/launches/launch.events.js';
import type { ScheduleEvents } from '#signals/domain/schedules/schedule.events.js';
import type { SignalSetupEvents } from '#signals/domain/setups/signal-setup.events.js';

/** The stream and revision of an event that others name as their cause. */
export type EventCauseDocument = {
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly position: string;
};

/** The types of events that processes name as the cause of their work. */
type Payloads = Pick<AgentEvents, 'AgentCreated' | 'LegacyAgentImported' | 'AgentChanged'> &
  Pick<SignalSetupEvents, 'SignalSetupCreated' | 'SignalSetupChanged'> &
  Pick<ScheduleEvents, 'ScheduleSwitchedOn'> &
  Pick<LaunchEvents, 'RunLaunched'> &
  Pick<ListStreamEvents, 'MembersAdded'> &
  Pick<ContentRequestEvents, 'ContentRequestCreated'> &
  Pick<TopAccountEvents, 'AccountsSubmitted' | 'AccountRequestsPlanned'> &
  Pick<MappingDayEvents, 'MappingReserved'>;

const placeOf = (
  _none: EventCauseDocument | null,
  { type, stream, revision, position }: Recorded<unknown>,
): EventCauseDocument => ({ type, stream, revision: Number(revision), position });

/** By id: an event store finds events by stream and revision, and events name their cause by its id. */
export const eventCauses = projection<EventCauseDocument, Payloads>()({
  name: 'event-causes',
  version: 1,
  indexes: {},
  key: (event) => event.id,
  on: {
    AgentCreated: placeOf,
    LegacyAgentImported: placeOf,
    AgentChanged: placeOf,
    SignalSetupCreated: placeOf,
    SignalSetupChanged: placeOf,
    ScheduleSwitchedOn: placeOf,
    RunLaunched: placeOf,
    MembersAdded: placeOf,
    ContentRequestCreated: placeOf,
    AccountsSubmitted: placeOf,
    AccountRequestsPlanned: placeOf,
    MappingReserved: placeOf,
  },
});
