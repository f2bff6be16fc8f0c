import type { Registry } from 'prom-client';
import type { Clock } from '#kernel/ports/clock.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import type { Lease, ReadModels, ReadStore } from '#kernel/ports/read-store.port.js';
import { dueOfEach } from '#process-engine/due-work.js';
import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { partitionLease } from '#process-engine/partitions.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
import { groupLease } from '#projection-engine/group-lease.js';
import { holderOf, placeOfHolder } from '#projection-engine/held-lease.js';
import type { ProjectionFigures } from '#projection-engine/projection-figures.js';
import {
  signalRunWork,
  type SignalRunWorkDocument,
} from '#projections/signals/signal-run-work/signal-run-work.projection.js';
import type { PollStore } from '#network/poll-store.port.js';
import type { LaneFigures } from '#delivery/webhooks/webhook-lane.js';
import { webhookGauges } from './webhook-metrics.js';
import { sourceGauges } from './source-metrics.js';
import { collectorsUp, lookedUpGauges, type Collector, type GaugeValue } from './looked-up-gauges.js';

/** The sources of the gauges. */
export type MachineRoom = {
  readonly readModels: ReadModels;
  readonly reads: Pick<ReadStore, 'lease'>;
  readonly events: Pick<EventStore, 'lastEvent'>;
  readonly clock: Clock;
  readonly isParked: (view: string, workspaceId: number) => Promise<boolean>;
  readonly polls: Pick<PollStore, 'memories'>;
  readonly deliveries: () => Promise<LaneFigures>;
  readonly blockOf: ProcessHost['blockOf'];
  readonly figures: () => Promise<readonly ProjectionFigures[]>;
  readonly processes: readonly Process[];
  readonly groupName: string;
};

/**
 * The state of projections, due work, runs and leases in the stores: read at each scrape, and the same in every
 * process.
 */
export function machineRoomMetrics(registry: Registry, room: MachineRoom): void {
  collectorsUp(registry, [
    projectionGauges(registry, room),
    workGauges(registry, room),
    runGauges(registry, room),
    leaseGauges(registry, room),
    sourceGauges(registry, room),
    webhookGauges(registry, room),
  ]);
}

function projectionGauges(registry: Registry, { figures }: MachineRoom): Collector {
  const gauge = (name: string, help: string, valueOf: (of: ProjectionFigures) => number | null) => ({
    name: `projection_${name}`,
    help,
    labels: ['projection'],
    readings: (found: readonly ProjectionFigures[]): readonly GaugeValue[] =>
      found.flatMap((of) => {
        const value = valueOf(of);
        return value === null ? [] : [[[of.name], value] as const];
      }),
  });
  return lookedUpGauges(registry, 'projections', figures, [
    gauge(
      'lag_seconds',
      'Age of the first unprocessed event; 0 if all events are processed',
      (of) => of.lagSeconds,
    ),
    gauge('live', 'Whether queries can read the projection', (of) => Number(of.isLive)),
    gauge('halted', 'Whether the projection has stopped at an event', (of) => Number(of.isHalted)),
    gauge(
      'parked_workspaces',
      'Parked workspaces: their events are set aside because a fold failed',
      (of) => of.parkedWorkspaces,
    ),
    gauge('events', 'Events that the projection has read', (of) => of.events),
    gauge(
      'rebuild_events',
      'Events that the generation under construction has read; absent if none is being built',
      (of) => of.rebuildEvents,
    ),
  ]);
}

function workGauges(registry: Registry, room: MachineRoom): Collector {
  const { clock, events, processes } = room;
  const look = () => dueOfEach(room, processes, events);
  return lookedUpGauges(registry, 'work', look, [
    {
      name: 'work_due_items',
      help: 'Due items of a process, including items of blocked or parked workspaces',
      labels: ['process'],
      readings: (found) => found.map(({ name, items }) => [[name], items]),
    },
    {
      name: 'work_due_oldest_age_seconds',
      help: 'Time since the oldest due item fell due, without items of blocked or parked workspaces; 0 if none is due',
      labels: ['process'],
      readings: (found) =>
        found.map(({ name, oldestSince }) => [[name], ageSeconds(clock, oldestSince?.getTime() ?? null)]),
    },
  ]);
}

function runGauges(registry: Registry, { readModels, clock }: MachineRoom): Collector {
  type Running = { readonly count: number; readonly oldest: SignalRunWorkDocument | null };
  const look = async (): Promise<Running> => {
    const [count, oldest] = await Promise.all([
      readModels.count(signalRunWork, {}),
      readModels.find(signalRunWork, {
        sort: [
          ['launchedPosition', 'asc'],
          ['runId', 'asc'],
        ],
        limit: 1,
      }),
    ]);
    return { count, oldest: oldest[0] ?? null };
  };
  return lookedUpGauges(registry, 'runs', look, [
    {
      name: 'signal_runs_under_way',
      help: 'Launches whose runs have not all ended',
      labels: [],
      readings: ({ count }) => [[[], count]],
    },
    {
      name: 'signal_run_oldest_age_seconds',
      help: 'Age of the oldest launch whose runs have not all ended; 0 if there is none',
      labels: [],
      readings: ({ oldest }) => [
        [[], ageSeconds(clock, oldest === null ? null : Date.parse(oldest.launch.now))],
      ],
    },
  ]);
}

function leaseGauges(registry: Registry, { reads, groupName }: MachineRoom): Collector {
  const names = [
    groupLease(groupName),
    ...Array.from({ length: PARTITIONS }, (_, number) => partitionLease(number)),
  ];
  type Found = { readonly name: string; readonly holder: string | null };
  const look = (): Promise<readonly Found[]> =>
    Promise.all(
      names.map(async (name) => {
        const lease: Lease | null = await reads.lease(name);
        return { name, holder: holderOf(lease) };
      }),
    );
  return lookedUpGauges(registry, 'leases', look, [
    {
      name: 'lease_held',
      help: 'Whether a process holds the lease: of a group of projections, or of a partition of the due work',
      labels: ['lease'],
      readings: (found) => found.map(({ name, holder }) => [[name], Number(holder !== null)]),
    },
    {
      name: 'lease_holder_info',
      help: 'Holder of the lease, as host and process id',
      labels: ['lease', 'holder'],
      readings: (found) =>
        found.flatMap(({ name, holder }) =>
          holder === null ? [] : [[[name, placeOfHolder(holder)], 1] as const],
        ),
    },
  ]);
}

const ageSeconds = (clock: Clock, sinceMs: number | null): number =>
  sinceMs === null ? 0 : Math.max(0, clock.now().getTime() - sinceMs) / 1_000;
