import { openManualClock } from '#clock/manual-clock.js';
import { monthFrom } from '#monitoring/domain/months-facts.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { soon } from '#test/support/event-stores.js';
import { observedCompany } from '#test/support/observed-network.js';
import { movementsOf } from '#test/support/signal-runs.js';
import type { TestService } from '#test/support/service.js';

const START = '2026-01-31T10:00:00.000Z';
const HANDLES = ['acme', 'globex', 'initech'];
const OUTAGES = 3;
const OUTAGE_SECONDS = 30;

/** A running service with a store that can be taken away. */
export type HouseWithOutages = {
  readonly service: TestService;
  readonly takeAway: () => Promise<void> | void;
  readonly bringBack: () => Promise<void> | void;
};

/**
 * Takes a store away while months are renewed and brings it back 30 s later: each month is paid once, begins when the
 * last one ended, and all verifications pass.
 */
export async function renewThroughOutages({ service, takeAway, bringBack }: HouseWithOutages): Promise<void> {
  const set = (now: string) => service.ops('clock.set', { now });
  await set(START);
  await service.ingest(HANDLES.map((handle) => observedCompany(handle)));
  const workspace = await service.workspace({ credits: 1_000 });
  await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
  const { body } = await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Key' });
  const path = `lists/company/${body.data.id}`;
  const members = HANDLES.map((network_handle) => ({ network_handle }));
  await workspace.call(`POST /api/v2/${path}/members`, { members });
  const started = await workspace.call(`PUT /api/v3/${path}`, { signal_buckets: ['essential'] });
  expect([started.status, started.body.data.monitored_count]).toEqual([200, HANDLES.length]);

  const begins = [START];
  for (let outage = 1; outage <= OUTAGES; outage += 1) {
    const due = monthFrom(begins.at(-1) ?? START, 31).until;
    begins.push(due);
    // The first outage begins a second before something falls due, the others in the middle of the work.
    if (outage === 1) await set(secondsAfter(due, -1));
    const moving = outage === 1 ? null : set(due);
    if (outage === 2) await moved(service, due);
    await takeAway();
    await moving;
    expect((await workspace.call('GET /api/v3/account-monitoring')).status).toBe(503);
    await bringBack();
    await soon(
      'readiness',
      eventually(async () => (await service.call('GET /health/ready')).status === 200),
    );
    // Half a minute has passed: work that fell due is done when the store is back.
    await leap(service, secondsAfter(due, OUTAGE_SECONDS));
    expect((await service.ops('work.drain')).status).toBe(200);
    const causes = (await movementsOf(workspace)).filter(({ status }) => status === 'captured');
    expect([outage, causes.length]).toEqual([outage, HANDLES.length * begins.length]);
    const asked = { workspace_id: workspace.id };
    expect((await service.ops('monitoring.verify', asked)).body).toEqual({
      ok: true,
      units: HANDLES.length,
      differences: [],
    });
    expect((await service.ops('ledger.verify', asked)).body).toMatchObject({ ok: true, differences: [] });
  }
  const months: string[] = [];
  for await (const batch of service.service.host.eventStore.readStream(`credits-${workspace.id}`)) {
    for (const { type, data } of batch) {
      if (type === 'CreditsHeld') months.push(String(Reflect.get(Object(data['cause']), 'from')));
    }
  }
  expect(months).toEqual(begins.flatMap((begin) => HANDLES.map(() => begin)));
}

const secondsAfter = (instant: string, seconds: number): string =>
  new Date(Date.parse(instant) + seconds * 1_000).toISOString();

/** Moves the time at once, without a stop at due items. */
async function leap({ service }: TestService, to: string): Promise<void> {
  const clock = await openManualClock(service.host.eventStore, () => undefined);
  await clock.set(new Date(to));
  await clock.close();
  await soon(
    'the clock',
    eventually(() => service.host.clock.now().toISOString() === to),
  );
}

/** Waits until the clock of the service has reached this time. */
const moved = (service: TestService, to: string): Promise<void> =>
  soon(
    'the clock',
    eventually(() => service.service.host.clock.now().toISOString() >= to),
  );
