import { cells, expectPage } from '#test/support/console-visitor.js';
import { financeOf, operatorOf } from '#test/support/console-scene.js';
import { refusal } from '#test/support/expected-answers.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { seeRunThrough } from '#test/support/signal-runs.js';
import type { TestWorkspace } from '#test/support/service.js';

const HOSTILE = `<img src=x onerror="alert(1)">`;
const POSTS = 5;

describe('the activity of a workspace, in the console', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme', { name: `Acme ${HOSTILE}` }),
      observedPerson('author', { ...employed('acme', 'VP Sales'), first_name: HOSTILE }),
      ...Array.from({ length: POSTS }, (_, index) =>
        observedPost(
          `post-${index + 1}`,
          'author',
          `We buy a CRM ${HOSTILE}`,
          `2026-05-0${index + 1}T09:00:00Z`,
        ),
      ),
    ],
  });
  const workspace = sharedWorkspace(service, { credits: 100 });
  const stranger = sharedWorkspace(service);
  let agent: number;
  let run: number;

  beforeAll(async () => {
    agent = await keywordAgent(workspace, 'crm');
    await workspace.call('POST /api/v3/credits/caps', {
      scope: 'agent',
      scope_id: agent,
      period: 'month',
      limit: 25,
    });
    run = (await seeRunThrough(service, workspace, agent, { lookback_days: 60 })).signal_request_id;
    await workspace.call(`PUT /api/v2/agents/${agent}`, { schedule: { cadence: 'weekly' } });
    await workspace.command('credits.hold', { credits: 4, product: 'p', key: 'old' });
    await service.setClock('2026-06-01T13:30:00.000Z');
    await workspace.command('credits.hold', { credits: 2, product: 'p', key: 'young' });
    await service.drain();
  });
  const operator = operatorOf(service);
  const finance = financeOf(service);

  const of = (path: string, { id }: TestWorkspace = workspace) => `/console/workspaces/${id}/${path}`;

  it('CON-03 finance sees signals, runs, schedules and holds, and neither sources nor due work', async () => {
    for (const path of ['signals', 'runs', `runs/${run}`, 'schedules', 'holds']) {
      expect([path, (await finance.get(of(path))).status]).toEqual([path, 200]);
    }
    for (const path of ['/console/sources', '/console/work']) {
      expect([path, (await finance.get(path)).status]).toEqual([path, 403]);
      expect([path, (await operator.get(path)).status]).toEqual([path, 200]);
    }
    const nav = (await finance.get(of('runs'))).text;
    expect([nav.includes('>Runs<'), nav.includes('>Sources<')]).toEqual([true, false]);
  });

  describe('signals', () => {
    it('are listed with their cost, each with its movement and run, and the matches are marked', async () => {
      const { text } = await finance.get(of('signals'));
      const rows = cells(text).filter((row) => row.length === 9);
      const body = await workspace.command('signal.list');
      expect(rows.map((row) => [row[0], row[7], row[8]])).toEqual(
        body.signals.map((signal: Record<string, unknown>) => [
          String(signal['id']),
          String(signal['movement_id']),
          String(signal['credits']),
        ]),
      );
      expect(rows.length).toBe(2);
      expect(text).toContain('We buy a <mark>CRM</mark> &lt;img src=x onerror=&quot;alert(1)&quot;&gt;');
      expect(text).toContain(`href="${of('movements/')}${rows[0]?.[7]}"`);
    });

    it('SIG-48 are linked from the movement that paid for them, all of them', async () => {
      const { signals } = await workspace.command('signal.list');
      const { id, movement_id } = signals[0];
      const { text } = await finance.get(of(`movements/${movement_id}`));
      const path = of(`signals?movement=${movement_id}`);
      expect(text).toContain(`href="${path}"`);
      expect(cells((await finance.get(path)).text).map(([first]) => first)).toEqual([String(id)]);
    });

    it('CON-02 text, names and companies of the network are shown as text', async () => {
      for (const path of ['signals', `signals/${await newestSignal()}`]) {
        const { text } = await finance.get(of(path));
        expect([path, /<img|<script/.test(text)]).toEqual([path, false]);
        expect([path, text.includes('&lt;img src=x')]).toEqual([path, true]);
      }
    });

    it('are filtered by a run, an agent, a type or a priority, one at a time', async () => {
      const shown = async (query: string): Promise<number> =>
        cells((await finance.get(of(`signals?${query}`))).text).filter((row) => row.length === 9).length;
      expect([
        await shown(`run=${run}`),
        await shown(`agent=${agent}`),
        await shown('type=keywordDetection'),
        await shown('priority=1'),
        await shown('priority=2'),
        await shown('run=999999'),
      ]).toEqual([2, 2, 2, 2, 0, 0]);
      const both = await finance.get(of(`signals?run=${run}&priority=1`));
      expect([both.status, both.text.includes('name one of')]).toEqual([422, true]);
    });

    it('OPS-40 continue after the last one of a page, and refuse a position in another workspace', async () => {
      const body = await workspace.command('signal.list', { limit: 1 });
      const behind = await service.ops('signal.list', {
        workspace_id: workspace.id,
        limit: 1,
        before: body.next,
      });
      expect([body.signals.length, behind.body.signals.length, behind.body.next]).toEqual([1, 1, null]);
      expect(behind.body.signals[0].id).not.toBe(body.signals[0].id);
      await refusal(
        422,
        service.ops('signal.list', { workspace_id: stranger.id, before: body.next }),
        'before',
      );
    });

    it('one is shown whole with its cost; one of another workspace is not found', async () => {
      const id = await newestSignal();
      const { text } = await finance.get(of(`signals/${id}`));
      expect(text).toContain('<mark>CRM</mark>');
      expect(text).toContain('by movement');
      expect(text).toContain('Payload');
      expect((await finance.get(of(`signals/${id}`, stranger))).status).toBe(404);
      expect((await finance.get(of('signals/999999'))).status).toBe(404);
    });

    const newestSignal = async (): Promise<number> =>
      (await workspace.command('signal.list', { limit: 1 })).signals[0].id;
  });

  describe('runs', () => {
    it('are listed newest first and filtered by stage, trigger and agent', async () => {
      const rows = cells((await finance.get(of('runs'))).text).filter((row) => row.length === 9);
      expect(rows.map((row) => [row[0], row[5], row[6], row[7]])).toEqual([[String(run), '2', '3', '20']]);
      const none = await finance.get(of('runs?stage=running&trigger=schedule'));
      expect([none.status, none.text.includes('There is no such run.')]).toEqual([200, true]);
      expect((await finance.get(of(`runs?agent=${agent}`))).text).toContain(`/runs/${run}"`);
      expect((await finance.get(of('runs?stage=nonsense'))).status).toBe(422);
    });

    it('RUN-22 one shows the finds of each batch, the dropped ones and why, the caps, and its charges', async () => {
      const { text } = await finance.get(of(`runs/${run}`));
      const batches = cells(text).filter((row) => row.length === 6 && row[0] === '1');
      expect(batches.map((row) => row.slice(3))).toContainEqual([
        String(POSTS),
        '3',
        'a cap on spending did not allow them',
      ]);
      expect(text).toContain('a cap on spending was reached');
      expect(cells(text)).toContainEqual(expect.arrayContaining([`agent ${agent}`, 'month', '20', '25']));
      expect(
        cells(text)
          .filter((row) => row.length === 5)
          .map((row) => row[4]),
      ).toEqual(['10', '10']);
      expect(text).toContain(`/signals?run=${run}"`);
    });

    it('OPS-40 its batches add up to the figures of the run, and continue after a batch', async () => {
      const body = await workspace.command('run.show', { run_id: run });
      const sum = (name: string): number =>
        body.batches.reduce((all: number, batch: Record<string, number>) => all + (batch[name] ?? 0), 0);
      expect([sum('matches'), sum('dropped')]).toEqual([body.found + body.dropped, body.dropped]);
      const behind = await service.ops('run.show', {
        workspace_id: workspace.id,
        run_id: run,
        after_batch: body.batches.length,
      });
      expect([behind.body.batches, behind.body.next_batch]).toEqual([[], null]);
    });

    it('one of another workspace is not found', async () => {
      expect((await finance.get(of(`runs/${run}`, stranger))).status).toBe(404);
      const { status } = await service.ops('run.show', { workspace_id: stranger.id, run_id: run });
      expect(status).toBe(404);
    });

    it('a run with its own limit shows the rest of it', async () => {
      const other = await service.workspace();
      const own = await keywordAgent(other, 'crm');
      const { body } = await other.call('POST /api/v2/workspace/signal-runs', {
        agent_id: own,
        max_credits: 15,
      });
      await service.drain();
      const [launched] = body;
      const { text } = await finance.get(of(`runs/${launched.signal_request_id}`, other));
      expect(text).toContain('the limit of the launch was reached');
      expect(text).toContain('5 left');
    });
  });

  it('OPS-40 schedules show when agents run next, soonest first', async () => {
    const { text } = await finance.get(of('schedules'));
    expect(cells(text).filter((row) => row.length === 4)).toEqual([
      ['2026-06-08 10:00:00', expect.any(String), 'agent', '2026-06-01 10:00:00'],
    ]);
    expect((await finance.get(of('schedules?cadence=daily'))).status).toBe(200);
    expect((await finance.get(of('schedules', stranger))).text).toContain('Nothing is scheduled.');
  });

  it('OPS-40 due work is listed by process', async () => {
    const { text } = await operator.get('/console/work');
    const { body } = await service.ops('work.due');
    expect(cells(text).map((row) => row[0])).toEqual(
      body.processes.map((row: Record<string, unknown>) => row['process']),
    );
    expect(body.next_due_at).toBe('2026-06-01T14:30:00.000Z');
  });

  it('OPS-40 holds are listed by age, oldest first, with their owners and sums', async () => {
    const { text } = await finance.get(of('holds'));
    expect(cells(text).map((row) => [row[2], row[4], row[5], row[6], row[7]])).toEqual([
      ['3 h', 'work done elsewhere', 'old', 'workspace', '4'],
      ['0 s', 'work done elsewhere', 'young', 'workspace', '2'],
    ]);
    const body = await workspace.command('hold.list', { limit: 1 });
    expect([body.total, body.credits, body.holds.length, body.next]).toEqual([
      2,
      6,
      1,
      body.holds[0].movement_id,
    ]);
    expect(body.ages).toEqual([
      { age: 'hour', holds: 1, credits: 2 },
      { age: 'day', holds: 1, credits: 4 },
      { age: 'older', holds: 0, credits: 0 },
    ]);
    const behind = await finance.get(of(`holds?after=${body.next}`));
    expect(cells(behind.text).map((row) => row[5])).toEqual(['young']);
    expect((await finance.get(of('holds?after=999999'))).status).toBe(422);
  });

  it('sources are listed with their last results and their terms; an unknown one is 404', async () => {
    const added = await service.ops('source.add', {
      url: 'https://boards.greenhouse.io/acme',
      domain: 'acme.com',
      name: HOSTILE,
    });
    const id = added.body.source_id;
    const { text } = await operator.get('/console/sources');
    expect(text).toContain(`href="/console/sources/${id}"`);
    expect(text).toContain('&lt;img');
    expect(text).not.toContain('<img');
    const one = await operator.get(`/console/sources/${id}`);
    expectPage(one, 200, 'greenhouse', 'Terms');
    expect((await operator.get('/console/sources/999999')).status).toBe(404);
    expect((await operator.get('/console/sources?status=paused')).text).toContain('no source of this status');
  });
});
