import { systemClock, type Clock } from '#kernel/ports/clock.js';
import type { Tracing } from '#kernel/ports/tracing.port.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import type { Coverage } from '#signals/detection/coverage.port.js';
import type { ThreadReports } from './due-work-thread.js';
import type { Meter } from './metrics/service-meter.js';
import type { Settings } from './settings.js';
import { openStores, type StoreOptions, type Stores } from './stores.js';

/** The environment of a service. Tests pass failing stores and wrong clocks. */
export type Outside = {
  readonly openStores: (settings: Settings, options?: StoreOptions) => Promise<Stores>;
  /** The time of the machine; a manual clock has priority. */
  readonly clock: Clock;
  /** Replaces the monitored coverage. */
  readonly coverage: Coverage | null;
  /** The meter of this host; null: none. */
  readonly meter: Meter | null;
  /** The tracing of this host; null: none. */
  readonly tracing: Tracing | null;
  /** The progress of the read models, if another thread of this process projects; null: this host does. */
  readonly projecting: Pick<ProjectionEngine, 'reached' | 'watch'> | null;
  /** Upper bound of the size of the states that commands keep (bytes); null: that of the command path. */
  readonly cacheBytes: number | null;
  /**
   * Where the reports of a thread for due work go. Null: the due work stays on the event loop, as with a server as event
   * store or read store. The thread reads the settings from the environment.
   */
  readonly threadReports: ThreadReports | null;
  /** Aborted when the process is stopped during its start; null: never. */
  readonly stopping: AbortSignal | null;
  /** Called immediately with the progress of a store's migration; null: the progress is among the notices. */
  readonly onUpgrade: ((line: string) => void) | null;
};

/** The environment outside tests. */
export const OUTSIDE: Outside = {
  openStores,
  clock: systemClock,
  coverage: null,
  meter: null,
  tracing: null,
  projecting: null,
  cacheBytes: null,
  threadReports: null,
  stopping: null,
  onUpgrade: null,
};
