import { Counter, Histogram, type Registry } from 'prom-client';
import type { NewEvent } from '#kernel/ports/event-store.port.js';
import { appendedTallies } from './appended-tallies.js';
import { counterByName } from './counter-by-name.js';
import type { MovementTally } from './movement-tally.js';
import { pollCounters, type PollOutcome } from './source-metrics.js';
import type { DeliveryOutcome } from '#delivery/webhooks/send-delivery.js';
import { attemptCounter } from './webhook-metrics.js';
import { tally } from './tally.js';

/** Counts what a service reports. Called often, so it only counts. */
export type Meter = {
  /** These events have become durable, with the caller's waiting time. */
  readonly appended: (events: readonly NewEvent[], seconds: number) => void;
  /** The embedded event store has made one transaction durable, with its duration. */
  readonly committed: (seconds: number) => void;
  /** A rule with this code refused a command. */
  readonly refused: (code: string) => void;
  /** A write was answered before the read models had applied it. */
  readonly readModelsLate: () => void;
  /** A source was polled. */
  readonly polled: (poll: PollOutcome) => void;
  /** An event was sent to a webhook endpoint. */
  readonly attempted: (outcome: DeliveryOutcome) => void;
  /** Background work failed and will be retried. */
  readonly failed: () => void;
};

// From the time of an embedded store on a fast disk to the time limit of a caller.
const SECONDS = [0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** The meter of a service with its metrics, except those of movements, which need look-ups. */
export function serviceMeter(registry: Registry): Meter & { readonly movements: MovementTally } {
  const tallies = appendedTallies();
  const refusals = tally();
  const seconds = (name: string, help: string): Histogram =>
    new Histogram({ name, help, buckets: SECONDS, registers: [registry] });
  const count = (name: string, help: string): Counter => new Counter({ name, help, registers: [registry] });
  const appends = seconds(
    'event_store_append_duration_seconds',
    'Time from the request of an append until its events are durable; without failed appends',
  );
  const commits = seconds(
    'event_store_commit_duration_seconds',
    'Duration of one transaction of the embedded event store, which contains the appends of one turn of the event loop',
  );
  const late = count(
    'read_models_late_total',
    'Writes that were answered before the read models had applied them',
  );
  const failures = count('background_failures_total', 'Failures of background work; each of them is retried');
  const byName = counterByName(registry);
  byName('events_appended_total', 'Events that this process has appended', 'type', tallies.events);
  byName('detections_total', 'Signals detected', 'type', tallies.detections);
  byName('signal_runs_launched_total', 'Runs launched', 'trigger', tallies.launchedRuns);
  byName('signal_runs_ended_total', 'Runs ended', 'outcome', tallies.endedRuns);
  byName(
    'signal_matches_dropped_total',
    'Matches that were dropped: balance, cap or budget did not cover them',
    'reason',
    tallies.droppedMatches,
  );
  byName('command_refusals_total', 'Commands that a rule refused', 'refusal', refusals);
  return {
    movements: tallies.movements,
    polled: pollCounters(registry),
    attempted: attemptCounter(registry),
    appended(events, waitedSeconds) {
      appends.observe(waitedSeconds);
      tallies.note(events);
    },
    committed: (tookSeconds) => commits.observe(tookSeconds),
    refused: (code) => refusals.add(code),
    readModelsLate: () => late.inc(),
    failed: () => failures.inc(),
  };
}
