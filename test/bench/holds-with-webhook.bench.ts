import { eventFeed } from '#projections/delivery/event-feed/event-feed.projection.js';
import { startTestService } from '../support/service.js';
import { percentile, processorMs, type Bench } from './bench.js';
import { runHoldClients } from './run-hold-clients.js';

const CLIENTS = 50;
const HOLDS_A_TURN = Number(process.env['WEBHOOK_HOLDS'] ?? '2500');
const TURNS = 15;

/** The cost of the feed and webhooks for the hot workspace. */
export const holdsWithWebhookBench: Bench = {
  name: 'holds-with-webhook',
  async run() {
    const service = await startTestService({ NODE_ENV: 'production', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' });
    try {
      const workspace = await service.workspace({ credits: 1_000_000 });
      const load = { workspaceIds: [workspace.id], clients: CLIENTS, holds: HOLDS_A_TURN };
      const opsUrl = service.service.opsUrl ?? '';
      const hold = async (): Promise<number> =>
        (await runHoldClients({ opsUrl, token: service.token, ...load })).holdsPerSecond;
      const { body } = await workspace.call('POST /api/v3/webhook-endpoints', { url: 'http://127.0.0.1:9/' });
      const set = (enabled: boolean) =>
        workspace.call(`PATCH /api/v3/webhook-endpoints/${body.data.id}`, { enabled });
      let busyMs = 0;
      let holds = 0;
      const ratios: number[] = [];
      const alone: number[] = [];
      const withWebhook: number[] = [];
      for (let turn = 0; turn < TURNS; turn += 1) {
        // Each is as often the first of a turn as the second: a ledger grows, and the machine changes.
        for (const hasWebhook of turn % 2 === 0 ? [false, true] : [true, false]) {
          await set(hasWebhook);
          const times = hasWebhook ? withWebhook : alone;
          const spentMs = await processorMs(async () => void times.push(await hold()));
          if (hasWebhook) continue;
          busyMs += spentMs;
          holds += HOLDS_A_TURN;
        }
        ratios.push((alone.at(-1) ?? 0) / (withWebhook.at(-1) ?? Number.NaN));
      }
      // The feed's query for each event of a hold: which entry it changes. Nothing is written for any of them.
      const { eventStore } = service.service.host;
      let entries = 0;
      let events = 0;
      let foldMs = 0;
      for await (const batch of eventStore.readAll({ types: Object.keys(eventFeed.on) })) {
        foldMs += await processorMs(() => {
          for (const event of batch.events) {
            events += 1;
            if (eventFeed.key(event as never) !== null) entries += 1;
          }
        });
      }
      const { body: verified } = await service.ops('ledger.verify', { workspace_id: workspace.id });
      const proof = `${events} events that the feed reads, ${entries} entries; verify ${verified.ok ? 'ok' : 'DIFFERS'}`;
      return [
        {
          what: 'holds on the hot workspace without a webhook endpoint: processor time of the feed',
          measured: (foldMs / events) * 1_000,
          unit: 'us an event',
          beside: 'processor time of a hold',
          besideValue: (busyMs / holds) * 1_000,
          goal: { atMost: 0.03 },
          proof,
        },
        {
          what: 'the same with one endpoint, alternating',
          measured: percentile(withWebhook, 0.5),
          unit: 'holds/s',
          beside: 'without',
          besideValue: percentile(alone, 0.5),
          ratio: 1 / percentile(ratios, 0.5),
          goal: { atLeast: 1 / 1.1 },
          proof,
        },
      ];
    } finally {
      await service.stop();
    }
  },
};
