import type { NetworkArrivals } from './arrivals.port.js';
import type { IngestOptions, IngestReport, ObservationWriter } from './ingest.js';
import type { NetworkDirectory } from './network-directory.port.js';
import type { PollStore } from './poll-store.port.js';
import type { NetworkSource } from './network-source.port.js';

/** The observed network as one store: both ports, writes, and its life cycle. */
export type NetworkStore = {
  readonly directory: NetworkDirectory;
  readonly source: NetworkSource;
  /** Writes observations of a source, as `ObservationWriter`. */
  readonly write: ObservationWriter['write'];
  /** As `ingestObservations`. */
  readonly ingest: (chunks: AsyncIterable<Uint8Array>, options?: IngestOptions) => Promise<IngestReport>;
  readonly arrivals: NetworkArrivals;
  /** The memories of source polls. */
  readonly polls: PollStore;
  /** Rejects with `StoreUnavailable` or `StoreUnusable` if the store cannot be read now. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
