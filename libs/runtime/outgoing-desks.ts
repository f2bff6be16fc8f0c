import type { Clock } from '#kernel/ports/clock.js';
import { feedSource } from '#delivery/event-feed.js';
import { webhookDesk, type WebhookDesk, type WebhookDeskParts } from '#delivery/webhooks/webhook-desk.js';
import { webhookLane, type WebhookLane } from '#delivery/webhooks/webhook-lane.js';
import { processHolder } from '#projection-engine/held-lease.js';
import type { ProjectionEngine } from '#projection-engine/projection-engine.js';
import { workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { sourceDesk, type SourceDesk, type SourceDeskParts } from '#sources/source-desk.js';
import type { WhenSetBack } from './background-work.js';
import { pollReporter } from './meter-reports.js';
import type { Meter } from './metrics/service-meter.js';
import type { Settings } from './settings.js';
import type { Stores } from './stores.js';

type DeskParts = Pick<SourceDeskParts, 'outbound' | 'readModels' | 'commands' | 'watch' | 'onTrouble'> & {
  readonly clock: Clock;
  readonly meter: Meter | null;
};

/** The operations on sources, and the polls of this process while it holds their lease. */
export function openSourceDesk(
  { sourceContact: contact }: Settings,
  { network }: Stores,
  { outbound, readModels, commands, watch, meter, onTrouble, clock }: DeskParts,
): SourceDesk {
  const now = (): Date => clock.now();
  const holder = processHolder();
  return sourceDesk({
    contact,
    network,
    outbound,
    readModels,
    commands,
    watch,
    hasSeveralWorkspaces: async () => (await readModels.find(workspaces, { limit: 2 })).length > 1,
    onPolled: pollReporter(meter),
    onTrouble,
    now,
    holder,
  });
}

type LaneParts = Pick<DeskParts, 'outbound' | 'readModels' | 'commands' | 'onTrouble' | 'meter' | 'clock'> & {
  readonly whenSetBack: WhenSetBack;
  readonly stores: Stores;
  readonly engine: ProjectionEngine;
  readonly settings: Settings;
};

/** The operations on webhook endpoints, and the deliveries of this process while it holds their lease. */
export function openWebhooks({ stores, engine, meter, clock, settings, ...parts }: LaneParts): {
  readonly webhooks: WebhookDesk;
  readonly deliveries: WebhookLane;
} {
  const { secrets, reads } = stores;
  const onAttempt: WebhookDeskParts['onAttempt'] = (outcome) => meter?.attempted(outcome);
  const allowed = settings.outboundAllowed;
  const webhooks = webhookDesk({ outbound: parts.outbound, allowed, secrets, reads, onAttempt });
  const deliveries = webhookLane({
    ...parts,
    source: feedSource(parts.readModels, stores.network.directory, engine),
    reads,
    secrets,
    holder: processHolder(),
    now: () => clock.now(),
    nowMs: Date.now,
    random: Math.random,
    later(ms, act) {
      const timer = setTimeout(act, ms).unref();
      return () => clearTimeout(timer);
    },
    watch: engine.watch,
    onAttempt,
  });
  return { webhooks, deliveries };
}
