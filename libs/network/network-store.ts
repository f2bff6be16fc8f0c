import type { IngestOptions, IngestReport } from './ingest.js';
import type { NetworkDirectory } from './network-directory.port.js';
import type { NetworkSource } from './network-source.port.js';

/** The observed network as one store: both ports, the way in, and its life. */
export type NetworkStore = {
  readonly directory: NetworkDirectory;
  readonly source: NetworkSource;
  /** As `ingestObservations`. */
  readonly ingest: (chunks: AsyncIterable<Uint8Array>, options?: IngestOptions) => Promise<IngestReport>;
  /** Rejects with `StoreUnavailable` or `StoreUnusable` when the store cannot be read now. */
  readonly ping: () => Promise<void>;
  readonly close: () => Promise<void>;
};
