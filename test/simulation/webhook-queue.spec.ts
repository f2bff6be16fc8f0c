import { attemptOf, deliveryRecords, FIRST_STATE, rowKey } from '#delivery/webhooks/delivery-records.js';
import { endpointQueue, type EndpointQueue } from '#delivery/webhooks/queue/endpoint-queue.js';
import type { QueueHost } from '#delivery/webhooks/queue/queue-host.js';
import type { Sent } from '#delivery/webhooks/send-delivery.js';
import type { FeedEntryDocument } from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import {
  manualTimers,
  openWebhookScene,
  passUntil,
  type ManualTimers,
  type WebhookScene,
} from '../support/webhook-scene.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DELIVERED: Sent = {
  outcome: 'delivered',
  statusCode: 204,
  durationMs: 0,
  answer: null,
  retryAfterMs: 0,
};
const rejected = (statusCode: number, retryAfterMs = 0): Sent => ({
  ...DELIVERED,
  outcome: 'rejected',
  statusCode,
  retryAfterMs,
});

type Asked = {
  readonly eventId: string;
  readonly previousId: string | null;
  readonly atMs: number;
  readonly answer: (sent: Sent | null) => void;
};
/** A queue and its receiver, which answers when the test says so. */
type Delivering = {
  readonly queue: EndpointQueue;
  readonly timers: ManualTimers;
  readonly asked: readonly Asked[];
  /** Attempts without an answer. */
  readonly inFlight: () => number;
  readonly disabled: readonly string[];
  /** The events up to which everything is settled, as recorded on the stream. */
  readonly marked: readonly string[];
};

describe('the queue of a webhook endpoint', () => {
  let scene: WebhookScene;
  const queues: EndpointQueue[] = [];
  beforeAll(async () => {
    scene = await openWebhookScene();
  });
  afterEach(() => Promise.all(queues.splice(0).map((queue) => queue.stop())));
  afterAll(() => scene.house.close());

  /** `answers`: immediately, by the number of the attempt; undefined: the test answers. */
  function deliver(
    endpoint: WebhookEndpointDocument,
    answers: (attempt: number, eventId: string) => Sent | undefined = () => undefined,
  ): Delivering {
    const timers = manualTimers(Date.parse('2026-03-01T12:00:00.000Z'));
    const asked: Asked[] = [];
    const disabled: string[] = [];
    const marked: string[] = [];
    let inFlight = 0;
    const host: QueueHost = {
      source: scene.source(),
      readModels: scene.house.reads,
      records: deliveryRecords(scene.house.reads),
      attempt: (_, { id: eventId }, previousId, signal) =>
        new Promise((resolve, reject) => {
          const stop = (): void => reject(new Error('stopped'));
          if (signal.aborted) return stop();
          inFlight += 1;
          let isAnswered = false;
          signal.addEventListener('abort', stop, { once: true });
          const answer = (sent: Sent | null): void => {
            if (isAnswered) return;
            isAnswered = true;
            inFlight -= 1;
            signal.removeEventListener('abort', stop);
            resolve(sent);
          };
          asked.push({ eventId, previousId, atMs: timers.nowMs(), answer });
          const sent = answers(asked.length, eventId);
          if (sent !== undefined) answer(sent);
        }),
      disable: async (_, reason) => void disabled.push(reason),
      settle: async (_, throughId) => void marked.push(throughId),
      progressOf: async () => null,
      nowMs: timers.nowMs,
      random: () => 0,
      later: timers.later,
      takeSlot: () => () => undefined,
      requireLead: () => undefined,
      onError: (_, error) => {
        throw error;
      },
    };
    const queue = endpointQueue(host, endpoint);
    queues.push(queue);
    queue.wake();
    return { queue, timers, asked, inFlight: () => inFlight, disabled, marked };
  }

  const passMs = async (timers: ManualTimers, ms: number): Promise<void> => {
    const until = timers.nowMs() + ms;
    await passUntil(timers, () => timers.nowMs() >= until);
  };

  it('DLV-05 has at most ten requests in flight, and starts the next with each answer, in order', async () => {
    const endpoint = await scene.endpoint();
    const events = await scene.happen(endpoint, 25);
    const { timers, asked, inFlight, queue } = deliver(endpoint);
    for (let answered = 0; answered < events.length; answered += 1) {
      await passUntil(timers, () => inFlight() === Math.min(10, events.length - answered));
      // A queue that would start more has the time for it.
      const until = timers.nowMs() + 1_000;
      await passUntil(timers, () => timers.nowMs() >= until);
      expect(inFlight()).toBe(Math.min(10, events.length - answered));
      asked[answered]?.answer(DELIVERED);
    }
    expect(asked.map(({ eventId }) => eventId)).toEqual(events.map(({ id }) => id));
    expect(asked.map(({ previousId }) => previousId)).toEqual([
      null,
      ...events.slice(0, -1).map(({ id }) => id),
    ]);
    await passUntil(timers, () => inFlight() === 0);
    await queue.stop();
    expect(await queue.figures()).toEqual({ pending: 0, oldestAt: null });
  });

  it('DLV-05 passes a thousand unwanted events fast, and does not send them when the endpoint wants them later', async () => {
    const endpoint = await scene.endpoint({ types: ['run.ended'] });
    const passed = await scene.happen(endpoint, 1_000);
    const { timers, asked, queue } = deliver(endpoint, () => DELIVERED);
    const begun = timers.nowMs();
    const records = deliveryRecords(scene.house.reads);
    let cursorId: string | null = null;
    while (cursorId !== passed.at(-1)?.id) {
      expect(timers.nowMs() - begun).toBeLessThan(10_000);
      const before = timers.nowMs();
      await passUntil(timers, () => timers.nowMs() > before, 10);
      cursorId = (await records.state(endpoint.id))?.cursorId ?? null;
    }
    expect(asked).toEqual([]);
    queue.update({ ...endpoint, types: null });
    const [first] = (await scene.happen(endpoint, 1)).slice(passed.length);
    queue.wake();
    await passUntil(timers, () => asked.length > 0);
    await passUntil(timers, () => timers.nowMs() - begun > MINUTE_MS);
    expect(asked.map(({ eventId, previousId }) => [eventId, previousId])).toEqual([[first?.id, null]]);
  });

  it('DLV-03 applies changed filters to the events that it has only read, and sends each event once', async () => {
    const endpoint = await scene.endpoint();
    const events = await scene.happen(endpoint, 25);
    const { timers, asked, inFlight, queue } = deliver(endpoint);
    const pass = async (ms: number): Promise<void> => {
      const until = timers.nowMs() + ms;
      await passUntil(timers, () => timers.nowMs() >= until);
    };
    await passUntil(timers, () => inFlight() === 10);
    // The last ones are answered first: the window begins with events in flight.
    for (const { answer } of asked.slice(5)) answer(DELIVERED);
    queue.update({ ...endpoint, types: ['run.ended'] });
    await pass(5_000);
    expect(asked.length).toBe(10);
    queue.update({ ...endpoint, types: ['run.ended', 'endpoint.disabled'] });
    await passUntil(timers, () => asked.length === 15);
    for (let answered = 0; answered < events.length; answered += 1) {
      await passUntil(timers, () => asked.length > answered);
      asked[answered]?.answer(DELIVERED);
    }
    await pass(5_000);
    expect(asked.map(({ eventId, previousId }) => [eventId, previousId])).toEqual(
      events.map(({ id }, index) => [id, events[index - 1]?.id ?? null]),
    );
    await queue.stop();
    expect((await deliveryRecords(scene.house.reads).state(endpoint.id))?.cursorId).toBe(events.at(-1)?.id);
  });

  it('DLV-03 passes events that it has only read when a changed filter excludes them', async () => {
    const endpoint = await scene.endpoint();
    const events = await scene.happen(endpoint, 25);
    const { timers, asked, inFlight, queue } = deliver(endpoint);
    await passUntil(timers, () => inFlight() === 10);
    queue.update({ ...endpoint, types: ['run.ended'] });
    for (const { answer } of asked.slice()) answer(DELIVERED);
    const until = timers.nowMs() + MINUTE_MS;
    await passUntil(timers, () => timers.nowMs() >= until);
    await queue.stop();
    expect(asked.map(({ eventId }) => eventId)).toEqual(events.slice(0, 10).map(({ id }) => id));
    expect(await queue.figures()).toEqual({ pending: 0, oldestAt: null });
    expect(await deliveryRecords(scene.house.reads).state(endpoint.id)).toMatchObject({
      cursorId: events.at(-1)?.id,
      previousId: events[9]?.id,
    });
  });

  it('DLV-05 has one request in flight while the endpoint fails, and ten again after a success', async () => {
    const endpoint = await scene.endpoint();
    await scene.happen(endpoint, 12);
    const { timers, asked, inFlight } = deliver(endpoint);
    await passUntil(timers, () => inFlight() === 10);
    for (const { answer } of asked.slice()) answer(rejected(500));
    await passUntil(timers, () => inFlight() === 1);
    const until = timers.nowMs() + 120_000;
    await passUntil(timers, () => timers.nowMs() >= until);
    expect([inFlight(), asked.length]).toEqual([1, 11]);
    asked[10]?.answer(DELIVERED);
    await passUntil(timers, () => inFlight() === 10);
  });

  it('DLV-05 counts the failures that an earlier process has seen, but none from before the endpoint was enabled again', async () => {
    for (const [enabledTimes, most] of [
      [1, 1],
      [2, 10],
    ] as const) {
      const endpoint = await scene.endpoint();
      await scene.happen(endpoint, 12);
      const health = { failures: 3, failingSinceMs: 1, slowUntilMs: 0 };
      const state = { ...FIRST_STATE, health, enabledTimes: 1 };
      await deliveryRecords(scene.house.reads).putState(endpoint.id, state);
      const { timers, inFlight } = deliver({ ...endpoint, enabledTimes });
      await passUntil(timers, () => inFlight() === most);
      await passMs(timers, 1_000);
      expect([enabledTimes, inFlight()]).toEqual([enabledTimes, most]);
    }
  });

  it.each([
    ['Slack, one a second', { format: 'slack', ratePerSecond: null }, 1_000],
    ['Slack, one a second whatever was set for standard', { format: 'slack', ratePerSecond: 4 }, 1_000],
    ['rate_per_second', { ratePerSecond: 4 }, 250],
  ] as const)('DLV-05 starts no more than the endpoint allows: %s', async (_, configuration, gapMs) => {
    const endpoint = await scene.endpoint(configuration);
    const events = await scene.happen(endpoint, 12);
    const { timers, asked } = deliver(endpoint, () => DELIVERED);
    await passUntil(timers, () => asked.length === events.length, 10);
    const gaps = asked.slice(1).map(({ atMs }, index) => atMs - (asked[index]?.atMs ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gapMs);
  });

  it('DLV-05 pauses an endpoint as long as Retry-After says, also for other events', async () => {
    const endpoint = await scene.endpoint({ ratePerSecond: 1 });
    await scene.happen(endpoint, 3);
    const { timers, asked } = deliver(endpoint, (attempt) =>
      attempt === 1 ? rejected(429, 60_000) : DELIVERED,
    );
    await passUntil(timers, () => asked.length === 4);
    expect((asked[1]?.atMs ?? 0) - (asked[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('DLV-05 makes ten attempts, each after its pause, lists the delivery as failed, and continues with later ones', async () => {
    const endpoint = await scene.endpoint();
    const [first, second] = await scene.happen(endpoint, 2);
    const { timers, asked, queue } = deliver(endpoint, (_, id) =>
      id === first?.id ? rejected(404) : DELIVERED,
    );
    const ofFirst = (): readonly Asked[] => asked.filter(({ eventId }) => eventId === first?.id);
    await passUntil(timers, () => ofFirst().length === 10, MINUTE_MS);
    expect(asked.filter(({ eventId }) => eventId === second?.id).length).toBe(1);
    const begun = timers.nowMs();
    await passUntil(timers, () => timers.nowMs() - begun > 2 * DAY_MS, MINUTE_MS);
    expect(ofFirst().length).toBe(10);
    await queue.stop();
    const [row] = await deliveryRecords(scene.house.reads).rows(endpoint.id, 10);
    expect([row?.row.status, row?.row.nextAttemptMs, row?.row.attempts.length]).toEqual(['failed', null, 10]);
    const gaps = ofFirst()
      .slice(1)
      .map(({ atMs }, index) => (atMs - (ofFirst()[index]?.atMs ?? 0)) / 1_000);
    const pauses = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    expect(gaps.map((gap, index) => gap >= (pauses[index] ?? 0))).toEqual(pauses.map(() => true));
    expect(gaps.every((gap, index) => gap <= (pauses[index] ?? 0) + 120)).toBe(true);
  });

  it('DLV-05 records no event as settled while it, or one before it, has had no result', async () => {
    const endpoint = await scene.endpoint();
    const [settled, slow, failing] = await scene.happen(endpoint, 3);
    if (settled === undefined || slow === undefined || failing === undefined)
      throw new Error('they happened');
    const { timers, asked, marked } = deliver(endpoint);
    const attempt = (eventId: string, number = 1): Asked | undefined =>
      asked.filter((one) => one.eventId === eventId)[number - 1];
    await passUntil(timers, () => asked.length === 3);
    // The retry of the last event is open, and its record names the one before, which is in flight.
    attempt(failing.id)?.answer(rejected(500));
    await passMs(timers, 2 * MINUTE_MS);
    expect(marked).toEqual([]);
    attempt(settled.id)?.answer(DELIVERED);
    await passMs(timers, 2 * MINUTE_MS);
    expect(marked).toEqual([settled.id]);
    attempt(failing.id, 2)?.answer(rejected(500));
    attempt(slow.id)?.answer(DELIVERED);
    await passMs(timers, 2 * MINUTE_MS);
    expect(marked).toEqual([settled.id, slow.id]);
    await passUntil(timers, () => attempt(failing.id, 3) !== undefined);
    attempt(failing.id, 3)?.answer(DELIVERED);
    await passMs(timers, 2 * MINUTE_MS);
    expect(marked).toEqual([settled.id, slow.id, failing.id]);
  });

  const ends: readonly (readonly [reason: string, answer: Sent | null])[] = [
    ['gone', rejected(410)],
    ['secret_lost', null],
  ];
  it.each(ends)('DLV-05 disables an endpoint at once: %s, and sends nothing more', async (reason, answer) => {
    const endpoint = await scene.endpoint({ ratePerSecond: 1 });
    await scene.happen(endpoint, 3);
    const { timers, asked, disabled } = deliver(endpoint);
    await passUntil(timers, () => asked.length === 1);
    asked[0]?.answer(answer);
    await passUntil(timers, () => disabled.length === 1);
    const until = timers.nowMs() + MINUTE_MS;
    await passUntil(timers, () => timers.nowMs() >= until);
    expect([disabled, asked.length]).toEqual([[reason], 1]);
  });

  it('DLV-05 disables an endpoint after ten failures and five days, and not before', async () => {
    const endpoint = await scene.endpoint();
    await scene.happen(endpoint, 2);
    const { timers, asked, disabled, queue } = deliver(endpoint, () => rejected(500));
    const begun = timers.nowMs();
    const pass = (days: number) =>
      passUntil(timers, () => timers.nowMs() - begun >= days * DAY_MS, MINUTE_MS);
    await pass(4.9);
    expect(asked.length).toBe(20);
    await scene.happen(endpoint, 1);
    queue.wake();
    await passUntil(timers, () => asked.length === 21);
    await pass(5.1);
    expect(disabled).toEqual(['failing']);
    const days = asked.map(({ atMs }) => (atMs - begun) / DAY_MS);
    expect(days.at(-2)).toBeLessThan(5);
    expect(days.at(-1)).toBeGreaterThanOrEqual(5);
  });

  it('DLV-05 a failed replay does not affect the endpoint: it is neither disabled nor retried', async () => {
    const endpoint = await scene.endpoint();
    const [event] = await scene.happen(endpoint, 1);
    if (event === undefined) throw new Error('an event happened');
    const { queue, timers, asked, disabled } = deliver(endpoint, (attempt) =>
      attempt === 1 ? DELIVERED : rejected(410),
    );
    await passUntil(timers, () => asked.length === 1);
    queue.update({ ...endpoint, replays: [{ position: event.position, eventId: event.id, since: null }] });
    await passUntil(timers, () => asked.length === 2);
    const until = timers.nowMs() + DAY_MS;
    await passUntil(timers, () => timers.nowMs() >= until, MINUTE_MS);
    expect([asked.map(({ eventId }) => eventId), disabled]).toEqual([[event.id, event.id], []]);
  });

  /** The rows of an endpoint, the newest event first: status, attempts, and which of them are replays. */
  const rowsOf = async (endpoint: WebhookEndpointDocument) =>
    (await deliveryRecords(scene.house.reads).rows(endpoint.id, 1_000)).map(({ row }) => ({
      eventId: row.eventId,
      status: row.status,
      attempts: row.attempts.map(
        ({ outcome, is_replay: isReplay }) => `${outcome}${isReplay ? ' replay' : ''}`,
      ),
    }));
  const replayOf = ({ position, id: eventId }: FeedEntryDocument) => ({
    replays: [{ position, eventId, since: null }],
  });

  it('DLV-06 begins a replay after the attempt of the same event that is in flight, and both failures leave the retries', async () => {
    const endpoint = await scene.endpoint();
    const [event] = await scene.happen(endpoint, 1);
    if (event === undefined) throw new Error('an event happened');
    const { queue, timers, asked } = deliver(endpoint);
    await passUntil(timers, () => asked.length === 1);
    queue.update({ ...endpoint, ...replayOf(event) });
    await passMs(timers, 2_000);
    const askedBefore = asked.length;
    asked[0]?.answer(rejected(500));
    await passUntil(timers, () => asked.length >= 2);
    asked[1]?.answer(rejected(500));
    await passMs(timers, 10_000);
    asked[2]?.answer(DELIVERED);
    await passMs(timers, MINUTE_MS);
    expect([askedBefore, asked.length]).toEqual([1, 3]);
    expect(await rowsOf(endpoint)).toEqual([
      { eventId: event.id, status: 'delivered', attempts: ['rejected', 'rejected replay', 'delivered'] },
    ]);
  });

  it('DLV-06 makes no retry that falls due during a successful replay of its event', async () => {
    const endpoint = await scene.endpoint();
    const [event, other] = await scene.happen(endpoint, 2);
    if (event === undefined || other === undefined) throw new Error('two events happened');
    const { queue, timers, asked } = deliver(endpoint);
    await passUntil(timers, () => asked.length === 2);
    asked[0]?.answer(rejected(500));
    await passMs(timers, 100);
    // The success makes the endpoint healthy: it may have several requests in flight.
    asked[1]?.answer(DELIVERED);
    await passMs(timers, 1_000);
    queue.update({ ...endpoint, ...replayOf(event) });
    await passUntil(timers, () => asked.length === 3);
    await passMs(timers, 10_000);
    const late = asked[3];
    asked[2]?.answer(DELIVERED);
    await passMs(timers, 1_000);
    late?.answer(rejected(500));
    await passMs(timers, 10 * MINUTE_MS);
    expect(asked.map(({ eventId }) => eventId)).toEqual([event.id, other.id, event.id]);
    expect(await rowsOf(endpoint)).toEqual([
      { eventId: event.id, status: 'delivered', attempts: ['rejected', 'delivered replay'] },
    ]);
  });

  it.each([
    ['fails', rejected(500), 'failed', 2],
    ['succeeds', DELIVERED, 'delivered', 1],
  ] as const)(
    'DLV-06 lists an event as what its replays are while its first attempt has to wait: the replay %s',
    async (_, answer, status, attempts) => {
      const endpoint = await scene.endpoint();
      const [event] = await scene.happen(endpoint, 1);
      if (event === undefined) throw new Error('an event happened');
      const records = deliveryRecords(scene.house.reads);
      // 500 retries, of events that the feed no longer has, hold all others until one of them is settled.
      const keys = Array.from({ length: 500 }, (_unused, index) =>
        rowKey(endpoint.id, { id: `gone_${index}`, occurredAt: event.occurredAt }),
      );
      const { type, occurredAt, position, place } = event;
      const nextAttemptMs = Date.parse('2026-03-01T12:10:00.000Z');
      for (const [index, key] of keys.entries())
        await records.putRow(key, {
          ...{ eventId: `gone_${index}`, type, occurredAt, position, place, previousId: null },
          ...{ status: 'retrying', attempts: [], nextAttemptMs: nextAttemptMs + (index === 0 ? 0 : DAY_MS) },
        });
      await records.putState(endpoint.id, { ...FIRST_STATE, open: keys });
      const { queue, timers, asked } = deliver(endpoint, (attempt) => (attempt === 1 ? answer : DELIVERED));
      const ofEvent = async () => (await rowsOf(endpoint)).find(({ eventId }) => eventId === event.id);
      queue.update({ ...endpoint, ...replayOf(event) });
      await passUntil(timers, () => asked.length === 1);
      await passMs(timers, 1_000);
      const replay = `${answer.outcome} replay`;
      expect(await ofEvent()).toEqual({ eventId: event.id, status, attempts: [replay] });
      await passMs(timers, 20 * MINUTE_MS);
      expect(asked.map(({ eventId }) => eventId)).toEqual(Array.from({ length: attempts }, () => event.id));
      expect(await ofEvent()).toEqual({
        eventId: event.id,
        status: 'delivered',
        attempts: [replay, ...(attempts === 2 ? ['delivered'] : [])],
      });
    },
  );

  it('DLV-05 sends an event of which only a replay was tried before the queue ended', async () => {
    const endpoint = await scene.endpoint();
    const [replayed, next] = await scene.happen(endpoint, 2);
    if (replayed === undefined) throw new Error('an event happened');
    const { id: eventId, type, occurredAt, position, place } = replayed;
    const attempt = attemptOf(rejected(500), Date.parse(occurredAt), true);
    await deliveryRecords(scene.house.reads).putRow(rowKey(endpoint.id, replayed), {
      ...{ eventId, type, occurredAt, position, place, previousId: null },
      ...{ status: 'delivered', attempts: [attempt], nextAttemptMs: null },
    });
    const { timers, asked } = deliver(endpoint, () => DELIVERED);
    await passUntil(timers, () => asked.some((sent) => sent.eventId === next?.id));
    expect(asked.map((sent) => sent.eventId)).toEqual([eventId, next?.id]);
    await passMs(timers, 1_000);
    expect(await rowsOf(endpoint)).toEqual([
      { eventId, status: 'delivered', attempts: ['rejected replay', 'delivered'] },
    ]);
  });
});
