import { cells, signedIn } from '#test/support/console-visitor.js';
import { addedMaria, operatorOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import {
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { seeRunThrough } from '#test/support/signal-runs.js';

const HOSTILE = '<script>alert(1)</script>';

describe('the event log in the console', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      observedCompany('acme'),
      observedPerson('author', employed('acme', 'VP Sales')),
      observedPost('post-1', 'author', `a crm ${HOSTILE}`, '2026-05-01T09:00:00Z'),
    ],
  });
  const workspace = sharedWorkspace(service, { credits: 100, name: HOSTILE });
  let agent: number;
  let run: number;

  beforeAll(async () => {
    agent = await keywordAgent(workspace, 'crm');
    run = (await seeRunThrough(service, workspace, agent, { lookback_days: 60 })).signal_request_id;
  });
  const operator = operatorOf(service);

  const event = (stream: string, revision: number): string =>
    `/console/log/event?stream=${encodeURIComponent(stream)}&revision=${revision}`;
  const runStream = (): string => `run-${workspace.id}_${run}`;

  it('lists the newest events first, filtered by type and workspace, and continues to older ones', async () => {
    const { body } = await service.ops('log.list', { limit: 3 });
    const rows = cells((await operator.get('/console/log')).text);
    expect(rows.slice(0, 3).map((row) => [row[1], row[2], row[3]])).toEqual(
      body.events.map((each: Record<string, unknown>) => [
        each['type'],
        each['stream'],
        String(each['revision']),
      ]),
    );
    const older = await service.ops('log.list', { limit: 3, before: body.next });
    expect(older.body.events[0].position < body.next).toBe(true);
    const held = cells((await operator.get(`/console/log?type=CreditsHeld&workspace=${workspace.id}`)).text);
    expect(held.map((row) => row[1])).toEqual(['CreditsHeld']);
    expect((await operator.get('/console/log?type=Nonsense')).text).toContain('No such event.');
  });

  it('OPS-42 every event is reached from the end, page by page, each once', async () => {
    const seen: string[] = [];
    for (let before: string | undefined; ;) {
      const { body } = await service.ops('log.list', { limit: 100, ...(before !== undefined && { before }) });
      seen.push(...body.events.map((each: Record<string, unknown>) => String(each['position'])));
      if (body.next === null) break;
      before = body.next;
    }
    const all: string[] = [];
    for await (const batch of service.service.host.eventStore.readAll())
      all.push(...batch.events.map(({ position }) => position));
    expect(seen.toReversed().filter((position) => all.includes(position))).toEqual(all.slice(0, seen.length));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('a stream is listed newest first and continues to its beginning', async () => {
    const { text } = await operator.get(`/console/log/stream?stream=${runStream()}`);
    const rows = cells(text);
    expect([rows[0]?.[1], rows.at(-1)?.[1]]).toEqual(['RunCompleted', 'RunStarted']);
    const { body } = await service.ops('log.stream', { stream: runStream(), limit: 2 });
    const behind = await service.ops('log.stream', { stream: runStream(), before: body.next });
    expect([...body.events, ...behind.body.events].map(({ revision }) => revision)).toEqual(
      rows.map((row) => Number(row[3])),
    );
    expect(behind.body.next).toBe(null);
    expect((await operator.get('/console/log/stream?stream=nothing-1')).status).toBe(404);
  });

  it('OPS-42 an event names the chain of its causes and effects', async () => {
    const started = await operator.get(event(runStream(), 0));
    expect(cells(started.text).map((row) => row[1])).toContain('RunLaunched');
    const { body: one } = await service.ops('log.event', { stream: runStream(), revision: 0 });
    expect([one.causes.map(({ type }: { type: string }) => type), one.unknown_cause]).toEqual([
      ['RunLaunched'],
      null,
    ]);
    const [launch] = one.causes;
    const asked = { stream: launch.stream, revision: launch.revision };
    const { body: cause } = await service.ops('log.event', asked);
    const caused = cause.effects.map(({ type }: { type: string }) => type);
    expect(caused).toEqual(
      expect.arrayContaining(['RunStarted', 'CreditsHeld', 'SignalDetected', 'CreditsCaptured', 'RunEnded']),
    );
    expect([cause.effects_next, cause.causes]).toEqual([null, []]);
    const halfway = await service.ops('log.event', { ...asked, effects_after: cause.effects[0].position });
    expect(halfway.body.effects).toEqual(cause.effects.slice(1));
    const page = await operator.get(event(launch.stream, launch.revision));
    expect(page.text).toContain(
      `/console/log/event?stream=${encodeURIComponent(runStream())}&amp;revision=0`,
    );
  });

  it.each(['', 'x', '12', '-1', 'f'.repeat(32), '9'.repeat(16)])(
    'OPS-42 effects after %p, which is no position of this log, are refused',
    async (after) => {
      const asked = { stream: runStream(), revision: 0, effects_after: after };
      const { status, body } = await service.ops('log.event', asked);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['effects_after']]);
      // The page of the console has no such member in its address while it is empty.
      const page = await operator.get(`${event(runStream(), 0)}&after=${after}`);
      expect(page.status).toBe(after === '' ? 200 : 422);
    },
  );

  it('an event of a schedule leads back to the event that enabled it', async () => {
    await workspace.call(`PUT /api/v2/agents/${agent}`, { schedule: { cadence: 'weekly' } });
    await service.setClock('2026-06-08T11:00:00.000Z');
    await service.drain();
    const runs = await workspace.command('run.list', { trigger: 'schedule' });
    const stream = `run-${workspace.id}_${runs.runs[0].run_id}`;
    const { body } = await service.ops('log.event', { stream, revision: 0 });
    expect(body.causes.map(({ type }: { type: string }) => type)).toEqual([
      'RunLaunched',
      'ScheduleSwitchedOn',
    ]);
  });

  it('CON-02 payloads are shown as text; an unknown event is 404; finance is refused', async () => {
    const { body } = await service.ops('log.list', { type: 'SignalDetected', workspace_id: workspace.id });
    const [found] = body.events;
    const { text } = await operator.get(event(found.stream, found.revision));
    expect([text.includes('<script>alert'), text.includes('&lt;script&gt;alert(1)')]).toEqual([false, true]);
    expect((await operator.get(event(runStream(), 999))).status).toBe(404);
    const finance = await signedIn(service, await addedMaria(service));
    for (const path of ['/console/log', `/console/log/stream?stream=${runStream()}`, event(runStream(), 0)])
      expect([path, (await finance.get(path)).status]).toEqual([path, 403]);
  });
});
