import { refusal } from '#test/support/expected-answers.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';

const THRESHOLDS = '/api/v3/credits/thresholds';
const NOW = '2026-01-10T12:00:00.000Z';

describe('thresholds of the balance', () => {
  const service = scene({ at: NOW });
  /** Workspaces of finished tests are retired, so that they have no work when later tests let time pass. */
  afterEach(() => service.retireAll());

  const set = (workspace: SceneWorkspace, credits: unknown, days: unknown = []): Promise<Answer> =>
    workspace.call(`PUT ${THRESHOLDS}`, { credits, days });
  const shown = (workspace: SceneWorkspace): Promise<Answer['body']> => workspace.data(`GET ${THRESHOLDS}`);
  const feedOf = (workspace: SceneWorkspace): Promise<readonly Answer['body'][]> =>
    workspace.data('GET /api/v3/events');
  const hold = (workspace: SceneWorkspace, key: string, credits: number): Promise<unknown> =>
    workspace.command('credits.hold', { key, credits, product: 'p' });

  it('LOW-01 are set, shown highest first and replaced, and setting them again writes nothing', async () => {
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
    await service.expectEvents([], () => set(workspace, [100, 20.5], [14, 7]));
    expect(await shown(workspace)).toEqual(wanted);
    await set(workspace, []);
    expect(await shown(workspace)).toMatchObject({ credits: [], days: [], run_out: { armed: true } });
  });

  it('LOW-01 refuses invalid thresholds with 422 that names the field, and changes nothing', async () => {
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
    await service.expectSettledEvents([], async () => {
      for (const [credits, days, field] of wrong) {
        const refused = await workspace.call(`PUT ${THRESHOLDS}`, { credits, days });
        const fields = Object.keys(refused.body.errors).map((name) => name.replace(/[.[].*$/, ''));
        expect([credits, days, refused.status, [...new Set(fields)]]).toEqual([credits, days, 422, [field]]);
      }
    });
  });

  it('LOW-01 DLV-02 are notified in the feed when the balance falls to them, with the hold that caused it', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await set(workspace, [50, 20]);
    await service.expectEvents(['CreditsHeld', 'CreditsLow', 'CreditsLow'], () =>
      hold(workspace, 'first', 85),
    );
    await service.expectEvents(['CreditsHeld', 'CreditsRunOut'], () => hold(workspace, 'second', 14.5));
    const all = await feedOf(workspace);
    expect(all.map(({ type, data }) => [type, data])).toEqual([
      ['credits.low', { threshold_credits: 50, threshold_days: null, ends_on: null, balance: 15 }],
      ['credits.low', { threshold_credits: 20, threshold_days: null, ends_on: null, balance: 15 }],
      ['credits.run_out', { balance: 0.5 }],
    ]);
    expect(await workspace.command('ledger.verify')).toMatchObject({ ok: true });
  });

  it('LOW-01 are notified once for simultaneous holds', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await set(workspace, [90, 60, 30]);
    await Promise.all(Array.from({ length: 20 }, (_, index) => hold(workspace, `k${index}`, 5)));
    const types = (await feedOf(workspace)).map(({ type, data }) => [type, data.threshold_credits ?? null]);
    expect(types).toEqual([
      ['credits.low', 90],
      ['credits.low', 60],
      ['credits.low', 30],
      ['credits.run_out', null],
    ]);
  });

  it('LOW-01 DLV-02 a reached cap is notified, with its state at that time', async () => {
    const workspace = await service.workspace({ credits: 100 });
    const cap = { scope: 'workspace', period: 'day', limit: 10 };
    const { id } = await workspace.data('POST /api/v3/credits/caps', cap);
    await hold(workspace, 'all', 10);
    await workspace.call(`DELETE /api/v3/credits/caps/${id}`);
    expect(await feedOf(workspace)).toMatchObject([
      {
        type: 'cap.reached',
        workspace_id: workspace.id,
        data: { ...cap, id, scope_id: null, spent: 10, resets_at: '2026-01-11T00:00:00.000Z' },
      },
    ]);
  });

  it('are of their workspace alone', async () => {
    const workspace = await service.workspace({ credits: 100 });
    const other = await service.workspace({ credits: 100 });
    await set(workspace, [50]);
    await hold(workspace, 'all', 100);
    expect(await feedOf(other)).toEqual([]);
    expect(await shown(other)).toMatchObject({ credits: [] });
  });

  describe('every hour', () => {
    /** Sets the clock, and does the work that is due then. */
    const at = async (now: string): Promise<void> => {
      await service.setClock(now);
      await service.drain();
    };
    const capture = async (workspace: SceneWorkspace, key: string, credits: number): Promise<void> => {
      await hold(workspace, key, credits);
      await workspace.command('credits.capture', { key });
    };

    it('LOW-01 notifies once that the balance ends within a threshold in days, and again after it lasted longer', async () => {
      const workspace = await service.workspace({ credits: 100 });
      await set(workspace, [], [7, 30]);
      // 70 in 7 days are 10 a day: the remaining 30 end on the third day from now.
      await capture(workspace, 'much', 70);
      await service.drain();
      expect(await feedOf(workspace)).toEqual([]);
      await at('2026-01-10T13:00:00.000Z');
      const { ends_on } = await workspace.data('GET /api/v3/credits/forecast');
      const low = (days: number) => ({
        type: 'credits.low',
        data: { threshold_credits: null, threshold_days: days, ends_on, balance: 30 },
      });
      expect(await feedOf(workspace)).toMatchObject([low(30), low(7)]);
      await at('2026-01-10T14:00:00.000Z');
      expect(await feedOf(workspace)).toHaveLength(2);
      expect((await shown(workspace)).days).toEqual([
        { threshold: 30, armed: false },
        { threshold: 7, armed: false },
      ]);

      await workspace.command('credits.grant', { credits: 150, reason: 'more' });
      await at('2026-01-10T15:00:00.000Z');
      expect((await shown(workspace)).days).toEqual([
        { threshold: 30, armed: false },
        { threshold: 7, armed: true },
      ]);
      await capture(workspace, 'most', 140);
      await at('2026-01-10T16:00:00.000Z');
      const all = await feedOf(workspace);
      expect(all.map(({ data }) => data.threshold_days)).toEqual([30, 7, 7]);
    });

    it('LOW-01 forecasts within an hour of an entry, and otherwise once a day, for any step of the clock', async () => {
      const workspace = await service.workspace({ credits: 100 });
      await set(workspace, [], [7]);
      const looks = async (): Promise<readonly string[]> =>
        (await service.stream(`creditOutlook-${workspace.id}`)).map(({ data }) => String(data['at']));
      // The first hour of a day is that of its daily forecast.
      await at('2026-01-20T08:00:00.000Z');
      const before = (await looks()).length;
      await capture(workspace, 'first', 1);
      await service.setClock('2026-01-20T08:20:00.000Z');
      await capture(workspace, 'second', 1);
      await at('2026-01-20T23:59:00.000Z');
      expect((await looks()).slice(before)).toEqual(['2026-01-20T09:00:00.000Z']);
      await at('2026-01-30T23:59:00.000Z');
      const daily = (await looks()).slice(before + 1);
      expect(daily.map((look) => look.slice(0, 13))).toEqual(
        Array.from({ length: 10 }, (_, day) => `2026-01-${21 + day}T00`),
      );
    });

    it('LOW-01 notifies a lot 7 days before it expires, once', async () => {
      const workspace = await service.workspace({ credits: 100 });
      const { movement_id } = await workspace.command('credits.grant', {
        credits: 40,
        reason: 'gift',
        expires_at: '2026-02-10T00:00:00.000Z',
      });
      await at('2026-02-02T23:59:00.000Z');
      expect(await feedOf(workspace)).toEqual([]);
      for (const now of ['2026-02-03T00:00:00.000Z', '2026-02-05T00:00:00.000Z']) {
        await at(now);
        expect(await feedOf(workspace)).toMatchObject([
          {
            type: 'credits.expiring',
            occurred_at: '2026-02-03T00:00:00.000Z',
            data: { movement_id, credits: 40, expires_at: '2026-02-10T00:00:00.000Z' },
          },
        ]);
      }
    });

    it('LOW-02 workspace.list shows the day on which each balance ends, and filters by it', async () => {
      const list = async (input: object): Promise<Answer> =>
        service.ops('workspace.list', { page_size: 100, ...input });
      const soon = await service.workspace({ credits: 100 });
      const later = await service.workspace({ credits: 1_000 });
      const idle = await service.workspace({ credits: 100 });
      await capture(later, 'used', 140);
      await capture(soon, 'used', 70);
      await at('2026-02-05T01:00:00.000Z');
      const { workspaces, total } = (await list({ by: 'run-out' })).body;
      const rows: readonly Answer['body'][] = workspaces;
      expect(rows).toHaveLength(total);
      const days = rows.map((row) => row.runs_out_on);
      expect(days).toEqual(days.toSorted());
      const ids = rows.map((row) => row.workspace_id);
      expect(ids).toEqual(expect.arrayContaining([soon.id, later.id]));
      expect(ids.indexOf(soon.id)).toBeLessThan(ids.indexOf(later.id));
      expect(ids).not.toContain(idle.id);
      const { ends_on } = await soon.data('GET /api/v3/credits/forecast');
      expect(rows.find((row) => row.workspace_id === soon.id)).toMatchObject({
        runs_out_on: ends_on,
        balance: 30,
      });
      const all: readonly Answer['body'][] = (await list({})).body.workspaces;
      expect(all.find((row) => row.workspace_id === idle.id)).toMatchObject({ runs_out_on: null });
      await refusal(422, list({ by: 'run-out', partner_id: 1 }), 'partner_id');
    });

    it('LOW-01 notifies a threshold in days in the first hour of its day, if there is no entry meanwhile', async () => {
      const workspace = await service.workspace({ credits: 1 });
      await set(workspace, [], [12]);
      await workspace.command('credits.withdraw', { credits: 1, reason: 'none left' });
      await workspace.command('credits.grant', {
        credits: 40,
        reason: 'gift',
        expires_at: '2026-03-15T12:00:00.000Z',
      });
      const low = async (): Promise<readonly Answer['body'][]> =>
        (await feedOf(workspace)).filter(({ type }) => type === 'credits.low');
      await at('2026-03-02T23:59:59.999Z');
      expect(await low()).toEqual([]);
      await at('2026-03-03T01:00:00.000Z');
      expect(await low()).toMatchObject([
        {
          occurred_at: expect.stringMatching(/^2026-03-03T00:/),
          data: { threshold_days: 12, ends_on: '2026-03-15' },
        },
      ]);
    });
  });
});
