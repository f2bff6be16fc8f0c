import type { Unlaunched } from '#signals/domain/launches/prepare-launch.js';
import { isSignalType } from '#signals/domain/runs/signal-types.js';
import type { NetworkSource } from '#network/network-source.port.js';
import type { UnreadRun } from './detector.js';
import type { Researcher } from './research/researcher.port.js';
import { watchedIn, type WatchedHost } from './watched.js';

/** What detectors need from the host. */
export type DetectionHost = WatchedHost & {
  readonly network: NetworkSource;
  readonly researcher: Researcher;
};

/** A direction of a launch that is to be searched. */
export type AskedRun = Pick<
  UnreadRun,
  'workspaceId' | 'direction' | 'dry' | 'known' | 'checkedAfter' | 'surfacedBefore' | 'previousEnd' | 'signal'
> & { readonly launch: Unlaunched };

/** The run as detectors see it, for one batch. */
export function unreadRun(host: DetectionHost, { workspaceId, launch, ...asked }: AskedRun): UnreadRun {
  const { lookbackDays, trigger, templateKey, parameters, persona, targetTitles } = launch;
  return {
    now: new Date(launch.now),
    lookbackDays,
    liveAfter: launch.live === undefined ? null : new Date(launch.live.after),
    trigger,
    workspaceId,
    templateKey,
    signalTypes: launch.signalTypes.filter(isSignalType),
    parameters,
    persona,
    targetTitles,
    watched: watchedIn(host, { ...launch, workspaceId }),
    source: host.network,
    directory: host.directory,
    researcher: host.researcher,
    ...asked,
  };
}
