import type { RunLaunched } from '#domain/signal-launches/launch.events.js';
import type { Candidate } from '#domain/signal-runs/signal-run.events.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { NetworkSource, PostScope } from '#network/network-source.port.js';

/** A match before it gets its detection id. */
export type Match = Omit<Candidate, 'detectionId'>;

export type DetectorSources = {
  readonly source: NetworkSource;
  readonly directory: NetworkDirectory;
  /** Whom the launch looks at, by network ref; absent: everybody. */
  readonly watched?: PostScope;
};

export type DetectorPage = {
  readonly matches: readonly Match[];
  /** Where the next page goes on: opaque to all but the detector. */
  readonly cursor: string;
  readonly more: boolean;
};

/** What the caller of a detector knows already: matches of these subjects are left out. */
export type KnownSubjects = (subjects: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * Finds the matches of a launch, page by page, in an order of its own that never changes: pages of at most
 * `limit` matches, from the cursor of the last page on.
 */
export type Detector = (
  sources: DetectorSources,
  launch: RunLaunched,
  cursor: string | null,
  limit: number,
  known: KnownSubjects,
) => Promise<DetectorPage>;
