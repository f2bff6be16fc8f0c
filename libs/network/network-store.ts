import type { NetworkArrivals } from './arrivals.port.js';
import type { IngestOptions, IngestReport, ObservationWriter } from './ingest.js';
import type { NetworkDirectory } from './network-directory.port.js';
import type { PollStore } from './poll-store.port.js';
import type { NetworkSource } from './network-source.port.js';

/** The observed network as one store: both ports, the way in, and its life. */
export type NetworkStore = {
  readonly directory: NetworkDirectory;
  readonly source: NetworkSource;
  /** Writes what a source showed, as `ObservationWriter`. */
  readonly write: ObservationWriter['write'];
  /** As `ingestObservations`. */
  readonly ingest: (chunks: AsyncIterable<Uint8Array>, options?: IngestOptions) => Promise<IngestReport>;
  readonly arrivals: NetworkArrivals;
  /** What polls of sources remember. */
  readonly polls: PollStore;
  /** Rejects with `StoreUnavailable` or `StoreUnusable` when the store cannot be read now. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
