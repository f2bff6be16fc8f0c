import { setImmediate } from 'node:timers/promises';
import type { Commands } from '#kernel/commands/commands.js';
import type { JsonValue } from '#kernel/values/json.js';
import { detectorFor } from '#signals/detection/detectors.js';
import { earlierLaunches } from '#signals/detection/earlier-launches.js';
import { BATCH_SIZE, type DetectorPage } from '#signals/detection/search-page.js';
import { unreadRun, type AskedRun, type DetectionHost } from '#signals/detection/unread-run.js';
import type { Direction } from '#signals/domain/launches/launch.events.js';

export type CandidatesHost = DetectionHost & { readonly commands: Commands };

/** A launch that is not recorded, and what its runs would already know. */
export type AskedCandidates = Pick<AskedRun, 'workspaceId' | 'launch' | 'known' | 'signal'> & {
  readonly directions: readonly Direction[];
};

/** The candidates that the runs of a launch would find, by page and direction. Records nothing. */
export async function* candidatePages(
  host: CandidatesHost,
  { workspaceId, launch, directions, known, signal }: AskedCandidates,
): AsyncGenerator<DetectorPage, void, undefined> {
  const asking = {
    launch,
    workspaceId,
    dry: false,
    known,
    ...earlierLaunches(host, { workspaceId, source: launch.source }, null),
    signal,
  };
  for (const direction of directions) {
    let resume: JsonValue = null;
    for (let more = true; more;) {
      const run = unreadRun(host, { ...asking, direction });
      const page: DetectorPage = await detectorFor(launch.detectorKind).find(run, resume, BATCH_SIZE);
      yield page;
      ({ resume, more } = page);
      // Other requests may run between two pages.
      await setImmediate();
    }
  }
}
