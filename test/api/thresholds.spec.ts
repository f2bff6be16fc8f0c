import {
  startTestService,
  type Answer,
  type TestService,
  type TestWorkspace,
} from '#test/support/service.js';

const THRESHOLDS = '/api/v3/credits/thresholds';
const NOW = '2026-01-10T12:00:00.000Z';

describe('thresholds of the balance', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: NOW });
  });
  afterAll(() => service.stop());

  const set = (workspace: TestWorkspace, credits: unknown, days: unknown = []): Promise<Answer> =>
    workspace.call(`PUT ${THRESHOLDS}`, { credits, days });
  const shown = async (workspace: TestWorkspace): Promise<Answer['body']> =>
    (await workspace.call(`GET ${THRESHOLDS}`)).body.data;
  const told = async (workspace: TestWorkspace): Promise<readonly Answer['body'][]> =>
    (await workspace.call('GET /api/v3/events')).body.data;
  const hold = ({ id: workspace_id }: TestWorkspace, key: string, credits: number): Promise<Answer> =>
    service.ops('credits.hold', { workspace_id, key, credits, product: 'p' });

  it('LOW-01 are set, shown highest first and replaced, and the same again writes nothing', async () => {
    const workspace = await service.workspace({ credits: 100 });
    const runOut = { threshold: 1, armed: false };
    expect(await shown(workspace)).toEqual({ credits: [], days: [], run_out: runOut });
    const { status, body } = await set(workspace, [20.5, 100], [7, 14]);
    const wanted = {
      credits: [
        { threshold: 100, armed: false },
        { threshold: 20.5, armed: true },
      ],
      days: [
        { threshold: 14, armed: true },
        { threshold: 7, armed: true },
      ],
      run_out: { ...runOut, armed: true },
    };
    expect([status, body.data]).toEqual([200, wanted]);
    expect(await service.eventsOf(() => set(workspace, [100, 20.5], [14, 7]))).toEqual([]);
    expect(await shown(workspace)).toEqual(wanted);
    await set(workspace, []);
    expect(await shown(workspace)).toMatchObject({ credits: [], days: [], run_out: { armed: true } });
  });

  it('LOW-01 refuses bad thresholds with 422 that names the field, and changes nothing', async () => {
    const workspace = await service.workspace();
    const wrong: readonly [unknown, unknown, string][] = [
      [[0], [], 'credits'],
      [[1.0000001], [], 'credits'],
      [['5'], [], 'credits'],
      [5, [], 'credits'],
      [Array.from({ length: 11 }, (_, index) => index + 1), [], 'credits'],
      [[], [0], 'days'],
      [[], [91], 'days'],
      [[], [1.5], 'days'],
      [[], undefined, 'days'],
    ];
    const events = await service.settledEventsOf(async () => {
      for (const [credits, days, field] of wrong) {
        const refused = await workspace.call(`PUT ${THRESHOLDS}`, { credits, days });
        const fields = Object.keys(refused.body.errors).map((name) => name.replace(/[.[].*$/, ''));
        expect([credits, days, refused.status, [...new Set(fields)]]).toEqual([credits, days, 422, [field]]);
      }
    });
    expect(events).toEqual([]);
  });

  it('LOW-01 DLV-02 tells in the feed what the balance comes down to, with the hold that did it', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await set(workspace, [50, 20]);
    const events = await service.eventsOf(() => hold(workspace, 'first', 85));
    expect(events).toEqual(['CreditsHeld', 'CreditsLow', 'CreditsLow']);
    expect(await service.eventsOf(() => hold(workspace, 'second', 14.5))).toEqual([
      'CreditsHeld',
      'CreditsRunOut',
    ]);
    const all = await told(workspace);
    expect(all.map(({ type, data }) => [type, data])).toEqual([
      ['credits.low', { threshold_credits: 50, threshold_days: null, ends_on: null, balance: 15 }],
      ['credits.low', { threshold_credits: 20, threshold_days: null, ends_on: null, balance: 15 }],
      ['credits.run_out', { balance: 0.5 }],
    ]);
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true });
  });

  it('LOW-01 holds that come together tell a threshold once', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await set(workspace, [90, 60, 30]);
    await Promise.all(Array.from({ length: 20 }, (_, index) => hold(workspace, `k${index}`, 5)));
    const types = (await told(workspace)).map(({ type, data }) => [type, data.threshold_credits ?? null]);
    expect(types).toEqual([
      ['credits.low', 90],
      ['credits.low', 60],
      ['credits.low', 30],
      ['credits.run_out', null],
    ]);
  });

  it('LOW-01 DLV-02 tells of a cap that is reached, with what it was then', async () => {
    const workspace = await service.workspace({ credits: 100 });
    const cap = { scope: 'workspace', period: 'day', limit: 10 };
    const { body } = await workspace.call('POST /api/v3/credits/caps', cap);
    await hold(workspace, 'all', 10);
    await workspace.call(`DELETE /api/v3/credits/caps/${body.data.id}`);
    expect(await told(workspace)).toMatchObject([
      {
        type: 'cap.reached',
        workspace_id: workspace.id,
        data: { ...cap, id: body.data.id, scope_id: null, spent: 10, resets_at: '2026-01-11T00:00:00.000Z' },
      },
    ]);
  });

  it('are of their workspace alone', async () => {
    const workspace = await service.workspace({ credits: 100 });
    const other = await service.workspace({ credits: 100 });
    await set(workspace, [50]);
    await hold(workspace, 'all', 100);
    expect(await told(other)).toEqual([]);
    expect(await shown(other)).toMatchObject({ credits: [] });
  });
});
