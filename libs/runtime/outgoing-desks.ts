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

/** The parts of the host that its desks use. */
type DeskParts = Pick<SourceDeskParts, 'outbound' | 'readModels' | 'commands' | 'onTrouble'> & {
  readonly settings: Settings;
  readonly stores: Stores;
  readonly engine: ProjectionEngine;
  readonly clock: Clock;
  readonly meter: Meter | null;
};

/** The operations on sources, and the polls of this process while it holds their lease. */
export function openSourceDesk(parts: DeskParts): SourceDesk {
  const { settings, stores, engine, meter, clock, outbound, readModels, commands, onTrouble } = parts;
  return sourceDesk({
    contact: settings.sourceContact,
    network: stores.network,
    outbound,
    readModels,
    commands,
    watch: engine.watch,
    hasSeveralWorkspaces: async () => (await readModels.find(workspaces, { limit: 2 })).length > 1,
    onPolled: pollReporter(meter),
    onTrouble,
    now: () => clock.now(),
    holder: processHolder(),
  });
}

/** The operations on webhook endpoints, and the deliveries of this process while it holds their lease. */
export function openWebhooks({
  stores,
  engine,
  meter,
  clock,
  settings,
  ...parts
}: DeskParts & { readonly whenSetBack: WhenSetBack }): {
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
