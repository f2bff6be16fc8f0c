import { answered, refusal } from '#test/support/expected-answers.js';
import {
  completedRun,
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import { openEventStream, type EventStream } from '#test/support/event-stream.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { startTestService } from '#test/support/service.js';

const EVENTS = 'GET /api/v3/events';
const NOW = '2026-06-01T10:00:00.000Z';

type Event = { readonly id: string; readonly type: string; readonly data: unknown };

describe(EVENTS, () => {
  const service = scene({
    at: NOW,
    network: [
      observedCompany('acme'),
      observedPerson('ana', employed('acme', 'VP Sales')),
      observedPost('one', 'ana', 'Our new CRM is live', '2026-05-31T09:00:00Z'),
      observedPost('two', 'ana', 'which CRM?', '2026-05-30T09:00:00Z'),
    ],
  });
  const other = sharedWorkspace(service);
  const workspace = sharedWorkspace(service, {}, async (made) => {
    agentId = await keywordAgent(made, 'crm');
    runId = await completedRun(service, made, agentId);
  });
  let runId: number;
  let agentId: number;

  const page = async (query: string, asker = workspace) => (await asker.call(`${EVENTS}${query}`)).body;
  const whole = async (query = '', limit = 1): Promise<readonly Event[]> => {
    const events: Event[] = [];
    for (let cursor: string | null = null; ;) {
      const begun: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { data, meta } = await page(`?limit=${limit}${begun}${query}`);
      events.push(...data);
      cursor = meta.cursor.next;
      if (!meta.cursor.has_more) return events;
    }
  };

  it('DLV-01 DLV-04 lists events in order, with the data that the API returns', async () => {
    const events = await whole();
    expect(events.map(({ type }) => type)).toEqual(['signal.detected', 'signal.detected', 'run.ended']);
    const signals: readonly { readonly id: number }[] = await workspace.data('POST /api/v3/signals/query');
    const delivered = events.filter(({ type }) => type === 'signal.detected').map(({ data }) => data);
    expect(delivered).toEqual(signals.toSorted((one, two) => one.id - two.id));
    const { body: run } = await workspace.poll(runId);
    expect(events.at(-1)).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}_0$/),
      type: 'run.ended',
      occurred_at: expect.stringMatching(/^2026-06-01T/),
      workspace_id: workspace.id,
      data: run,
    });
  });

  it('DLV-01 lists the same events in pages of any size, and the cursor continues after the end', async () => {
    const [first, second, third] = await whole();
    expect(await whole('', 2)).toEqual([first, second, third]);
    expect(await whole('', 100)).toEqual([first, second, third]);
    const end = await page(`?cursor=${third?.id}`);
    expect(end).toEqual({ data: [], meta: { cursor: { next: third?.id, has_more: false } } });
  });

  it('DLV-01 takes a cursor with any type', async () => {
    const [first] = await whole();
    const { data } = await page(`?cursor=${first?.id}&type=run.ended`);
    expect(data.map(({ type }: Event) => type)).toEqual(['run.ended']);
    expect((await whole('&type=run.ended')).length).toBe(1);
    expect((await whole('&type=run.ended&type=signal.detected')).length).toBe(3);
  });

  it('shows a workspace no events of another, and refuses a cursor of another', async () => {
    expect((await page('', other)).data).toEqual([]);
    const [first] = await whole();
    const body = await answered(410, other.call(`${EVENTS}?cursor=${first?.id}`));
    expect(body).toMatchObject({ title: 'Cursor gone', oldest_cursor: null });
  });

  it('DLV-01 answers an unknown cursor with 410 and the oldest one', async () => {
    const [first] = await whole();
    const body = await answered(410, workspace.call(`${EVENTS}?cursor=evt_0_0`));
    expect(body).toMatchObject({ status: 410, title: 'Cursor gone', oldest_cursor: first?.id });
  });

  it('filters the event of an id by its type, and refuses an id with a cursor or for a stream', async () => {
    const [first] = await whole();
    const none = { data: [], meta: { cursor: { next: null, has_more: false } } };
    expect((await page(`?event=${first?.id}&type=signal.detected&type=run.ended`)).data).toEqual([first]);
    expect(await page(`?event=${first?.id}&type=run.ended`)).toEqual(none);
    await refusal(400, workspace.call(`${EVENTS}?event=${first?.id}&cursor=${first?.id}`), 'event');
    const stream = workspace.call(`${EVENTS}?event=${first?.id}`, undefined, { accept: 'text/event-stream' });
    await refusal(400, stream, 'event');
  });

  it('refuses an unknown type and a limit out of range, with their names', async () => {
    await refusal(400, workspace.call(`${EVENTS}?type=signal.lost&limit=0`), 'limit', 'type');
  });

  it('DLV-01 keeps cursors and order through a rebuild', async () => {
    const before = await whole();
    await answered(200, service.ops('projections.rebuild', { name: 'event-feed' }));
    expect(await whole()).toEqual(before);
  });

  describe('with Accept: text/event-stream', () => {
    const open = (query = '', headers: Readonly<Record<string, string>> = {}): Promise<EventStream> =>
      openEventStream(`${service.url}/api/v3/events${query}`, workspace.apiKey, headers);
    const newRun = async (text: string): Promise<void> => {
      await service.ingest([observedPost(text, 'ana', `A CRM, ${text}`, '2026-05-29T09:00:00Z')]);
      await completedRun(service, workspace, agentId);
    };

    it('DLV-01 streams existing events, then new ones, in order and each once', async () => {
      const before = await whole();
      const stream = await open();
      expect([stream.status, stream.contentType]).toEqual([200, 'text/event-stream']);
      await stream.until(before.length);
      await newRun('streamed');
      const after = await whole();
      expect(after.length).toBeGreaterThan(before.length);
      const streamed = await stream.until(after.length);
      stream.close();
      expect(streamed.map(({ id, event }) => [id, event])).toEqual(after.map(({ id, type }) => [id, type]));
      expect(streamed.map(({ data }) => data)).toEqual(after);
      expect(stream.retryMs()).toBe(3_000);
    });

    it('DLV-01 continues after Last-Event-ID, which takes precedence over the cursor, with any type', async () => {
      const [first, second, ...others] = await whole();
      const stream = await open(`?cursor=${first?.id}`, { 'last-event-id': second?.id ?? '' });
      const streamed = await stream.until(others.length);
      stream.close();
      expect(streamed.map(({ id }) => id)).toEqual(others.map(({ id }) => id));
      const ofRuns = await open(`?type=run.ended&cursor=${first?.id}`);
      const [run] = await ofRuns.until(1);
      ofRuns.close();
      expect(run?.event).toBe('run.ended');
    });

    it('answers an unknown cursor and unknown types like a page', async () => {
      const gone = await open('', { 'last-event-id': 'evt_0_0' });
      const wrong = await open('?type=nothing');
      expect([gone.status, wrong.status]).toEqual([410, 400]);
      expect([gone.contentType, wrong.contentType]).toEqual([
        'application/problem+json',
        'application/problem+json',
      ]);
    });

    it('streams no events of another workspace', async () => {
      const stream = await openEventStream(`${service.url}/api/v3/events`, other.apiKey);
      const ours = await open();
      const before = (await whole()).length;
      await newRun('elsewhere');
      await ours.until((await whole()).length);
      expect((await whole()).length).toBeGreaterThan(before);
      ours.close();
      expect(stream.events).toEqual([]);
      stream.close();
    });

    it('answers JSON if JSON is named first, nothing is named, or the stream is refused with the weight 0', async () => {
      for (const accept of [
        '*/*',
        'application/json, text/event-stream',
        'text/html',
        'text/event-stream;q=0',
        'text/event-stream; Q=0.000, application/json',
      ]) {
        const { headers } = await workspace.call(EVENTS, undefined, { accept });
        expect([accept, headers.get('content-type')]).toEqual([accept, 'application/json; charset=utf-8']);
      }
    });

    it('DLV-06 ends a stream when its key is revoked, and no other', async () => {
      const { api_key, key_id } = await workspace.command('apikey.issue', { label: 'streams' });
      const revoked = await openEventStream(`${service.url}/api/v3/events`, api_key);
      const stays = await open();
      await Promise.all([revoked.until(1), stays.until(1)]);
      await workspace.command('apikey.revoke', { key_id });
      await revoked.ended;
      const before = stays.events.length;
      await newRun('after the revocation');
      await stays.until(before + 1);
      stays.close();
    });

    it('ends every stream when the service stops, and a client continues from its last id', async () => {
      const stopped = await startTestService();
      const tenant = await stopped.workspace();
      await stopped.ingest([
        observedPerson('ana'),
        observedPost('p', 'ana', 'crm', new Date().toISOString()),
      ]);
      await completedRun(stopped, tenant, await keywordAgent(tenant, 'crm'));
      const stream = await openEventStream(`${stopped.url}/api/v3/events`, tenant.apiKey);
      const [first] = await stream.until(2);
      const { dataDirectory } = stopped;
      await stopped.service.stop();
      await stream.ended;
      const again = await startTestService({}, dataDirectory);
      const resumed = await openEventStream(`${again.url}/api/v3/events`, tenant.apiKey, {
        'last-event-id': first?.id ?? '',
      });
      const rest = await resumed.until(1);
      expect(rest.map(({ event }) => event)).toEqual(['run.ended']);
      resumed.close();
      await again.stop();
    });
  });

  it('DLV-03 begins 30 days ago without a cursor, and takes an older cursor', async () => {
    for (const { command } of [workspace, other]) await command('workspace.billing', { billing: 'exempt' });
    const [first, ...others] = await whole();
    // No balance is checked in the month that passes here.
    await service.advance('P30DT1H');
    expect(await whole()).toEqual([]);
    expect((await page(`?limit=100&cursor=${first?.id}`)).data).toEqual(others);
  });
});
