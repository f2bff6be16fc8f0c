import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { scrape, type Scraped } from '../support/prometheus-text.js';
import { startTestService, type TestService } from '../support/service.js';

describe('GET /metrics', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  const metrics = (): Promise<Scraped> => scrape(String(service.service.opsUrl), service.token);
  /** The changes of the samples by this work, without zeros. */
  async function addedBy(work: () => Promise<unknown>): Promise<ReadonlyMap<string, number>> {
    const { samples: before } = await metrics();
    await work();
    const { samples: after } = await metrics();
    return new Map(
      [...after]
        .map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const)
        .filter(([, added]) => added !== 0),
    );
  }
  const startingWith = (added: ReadonlyMap<string, number>, prefix: string): Record<string, number> =>
    Object.fromEntries([...added].filter(([name]) => name.startsWith(prefix)));

  it('counts holds, captures, releases and their credits by product, and refusals by rule', async () => {
    const workspace = await service.workspace({ credits: 20 });
    const charge = (command: string, key: string, more: object = {}) =>
      service.ops(`credits.${command}`, { workspace_id: workspace.id, key, ...more });
    const added = await addedBy(async () => {
      await charge('hold', 'a', { credits: '2.5', product: 'import' });
      await charge('hold', 'b', { credits: 4, product: 'import' });
      await charge('hold', 'c', { credits: 1, product: 'export' });
      // a repetition is no movement, and a refusal neither
      await charge('hold', 'c', { credits: 1, product: 'export' });
      expect((await charge('hold', 'd', { credits: 100, product: 'export' })).status).toBe(402);
      await charge('capture', 'a');
      await charge('release', 'b');
    });
    expect(startingWith(added, 'ledger_')).toEqual({
      'ledger_holds_total{product="import"}': 2,
      'ledger_holds_total{product="export"}': 1,
      'ledger_held_credits_total{product="import"}': 6.5,
      'ledger_held_credits_total{product="export"}': 1,
      'ledger_captures_total{product="import"}': 1,
      'ledger_captured_credits_total{product="import"}': 2.5,
      'ledger_releases_total{product="import"}': 1,
      'ledger_released_credits_total{product="import"}': 4,
    });
    expect(startingWith(added, 'command_refusals_total')).toEqual({
      'command_refusals_total{refusal="insufficient-credits"}': 1,
    });
    expect(startingWith(added, 'events_appended_total{type="Credits')).toEqual({
      'events_appended_total{type="CreditsHeld"}': 3,
      'events_appended_total{type="CreditsCaptured"}': 1,
      'events_appended_total{type="CreditsReleased"}': 1,
    });
    expect(added.get('event_store_append_duration_seconds_count')).toBeGreaterThanOrEqual(5);
    expect(added.get('event_store_commit_duration_seconds_count')).toBeGreaterThanOrEqual(5);
  });

  it('counts signals by type and runs by launch and outcome', async () => {
    const workspace = await service.workspace();
    await workspace.call('POST /api/v2/personas', { job_title: ['sales'], location: ['France'] });
    const setup = await workspace.call('POST /api/v3/signal-setups', {
      signal_template_id: 1,
      parameters: { tracking_keywords: ['CRM'] },
    });
    expect(setup.body).toMatchObject({ data: { status: 'enabled' } });
    const added = await addedBy(async () => {
      const run = { agent_id: setup.body.data.id, parameters: { lookback_days: 30 } };
      expect((await workspace.call('POST /api/v2/workspace/signal-runs', run)).status).toBe(202);
      const detection = { workspace_id: workspace.id, signal_type: 'newJob', signal_date: '2026-01-05' };
      expect((await service.ops('detection.add', detection)).status).toBe(200);
      await service.ops('work.drain');
    });
    expect(startingWith(added, 'detections_total')).toEqual({ 'detections_total{type="newJob"}': 1 });
    expect(startingWith(added, 'signal_runs_')).toEqual({
      'signal_runs_launched_total{trigger="manual"}': 1,
      'signal_runs_ended_total{outcome="completed"}': 1,
    });
  });

  it('reports the state of every read model, process and lease', async () => {
    await service.ops('work.drain');
    const { samples, types, helps } = await metrics();
    const values = (name: string): readonly number[] =>
      [...samples].filter(([sample]) => sample.startsWith(`${name}{`)).map(([, value]) => value);
    const models = (await service.ops('projections.list')).body.projections.length;
    expect(models).toBeGreaterThan(40);
    for (const [name, value] of [
      ['projection_lag_seconds', 0],
      ['projection_live', 1],
      ['projection_halted', 0],
      ['projection_parked_workspaces', 0],
    ] as const)
      expect([name, values(name)]).toEqual([name, Array.from({ length: models }, () => value)]);
    expect(samples.get('projection_events{projection="workspaces"}')).toBeGreaterThan(0);
    expect(values('projection_rebuild_events')).toEqual([]);
    const work = service.service.host.machineRoom.processes.length;
    expect(values('work_due_items')).toEqual(Array.from({ length: work }, () => 0));
    expect(values('work_due_oldest_age_seconds')).toEqual(Array.from({ length: work }, () => 0));
    expect(samples.get('signal_runs_under_way')).toBe(0);
    expect(values('lease_held')).toEqual(Array.from({ length: 1 + PARTITIONS }, () => 1));
    expect([...samples.keys()].filter((name) => name.startsWith('lease_holder_info')).length).toBe(
      1 + PARTITIONS,
    );
    expect([...samples.keys()].find((name) => name.startsWith('lease_holder_info'))).toMatch(
      new RegExp(`^lease_holder_info\\{lease="projections:all",holder="[^:"]+:${process.pid}"\\}$`),
    );
    expect(values('collector_up')).toEqual([1, 1, 1, 1, 1, 1]);
    // and each metric has a description
    expect([...types.keys()].filter((name) => (helps.get(name) ?? '').length < 10)).toEqual([]);
  });

  it('names no workspace: no label grows with the data of customers', async () => {
    const { samples } = await metrics();
    const labels = new Set(
      [...samples.keys()].flatMap((name) => [...name.matchAll(/(\w+)="/g)].map(([, label]) => label)),
    );
    expect([...labels].filter((label) => /workspace|stream|movement|key|user/i.test(String(label)))).toEqual(
      [],
    );
    expect(labels.has('product')).toBe(true);
  });
});
