import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyStore } from '#runtime/copy-store.js';
import { copyNetworkStore, copySecretStore } from '#runtime/copy-views.js';
import type { EventStoreUrl, StoreUrl } from '#runtime/settings.js';
import {
  startEventStoreDbServer,
  type EventStoreDbServer,
} from '#test/servers/eventstoredb/eventstoredb-server.js';
import {
  furnish,
  keyedRoutes,
  ownedId,
  ownPath,
  validBody,
  type OwnedIds,
} from '#test/support/every-route.js';
import { employed, observedPerson, observedPost } from '#test/support/observed-network.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { seeRunThrough } from '#test/support/signal-runs.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

type FeedEvent = { readonly id: string; readonly type: string };

/** All requests that write nothing: reads, and the searches that are POSTs. */
const questions = keyedRoutes.filter(({ method, path }) => method === 'GET' || /\/(query|count)$/.test(path));

const folder = temporaryFolder('moving-house');

describe('moving to another store', () => {
  const oldFile: EventStoreUrl = { kind: 'sqlite', path: join(folder, 'old', 'events.db') };
  const networkOf = (house: string): StoreUrl => ({
    kind: 'sqlite',
    path: join(folder, `${house}-network.db`),
  });
  const carried = (from: string, to: string) =>
    copyNetworkStore(networkOf(from), networkOf(to), () => undefined);
  const secretsOf = (house: string) => ({ kind: 'sqlite', path: join(folder, house, 'secrets.db') }) as const;
  const services: TestService[] = [];
  let server: EventStoreDbServer;
  let esdb: EventStoreUrl;
  let workspace: TestWorkspace;
  let owned: OwnedIds;
  let answersBefore: ReadonlyMap<string, string>;
  let ledgerBefore: unknown;
  let firstHash: string;
  /** The feed of the workspace as sent so far, oldest first. */
  let feed: readonly FeedEvent[];

  /** A service with its read models in a folder of its own, so that none exist at first. */
  async function startOn(name: string, eventStore: EventStoreUrl, network: StoreUrl): Promise<TestService> {
    const service = await startTestService(
      {
        CLOCK: 'manual',
        CURSOR_SECRET: 'the same in every house',
        EVENT_STORE_URL: eventStore.kind === 'esdb' ? eventStore.url : `sqlite:${eventStore.path}`,
        NETWORK_STORE_URL: `sqlite:${network.path}`,
      },
      join(folder, name),
    );
    services.push(service);
    while ((await service.call('GET /health/ready')).status !== 200);
    return service;
  }
  const stop = async (service: TestService): Promise<void> => {
    services.splice(services.indexOf(service), 1);
    await service.service.stop();
  };
  /** The workspace under the current service. */
  const servedBy = (service: TestService): TestWorkspace => ({
    ...workspace,
    call: (route, body, headers = {}) =>
      service.call(route, body, { authorization: `Bearer ${workspace.apiKey}`, ...headers }),
  });
  /** The exact answer to every query, by its route. */
  async function allAnswers(service: TestService): Promise<ReadonlyMap<string, string>> {
    const answers = new Map<string, string>();
    for (const route of questions) {
      const asked = `${route.method} ${ownPath(owned, route.path)}`;
      const { status, body } = await servedBy(service).call(asked, validBody(route, owned));
      answers.set(asked, `${status} ${JSON.stringify(body)}`);
    }
    return answers;
  }
  /** The feed after a cursor, a few events per page. */
  async function feedBehind(service: TestService, after: string | null): Promise<readonly FeedEvent[]> {
    const found: FeedEvent[] = [];
    for (let cursor = after; ;) {
      const query = new URLSearchParams({ limit: '3', ...(cursor === null ? {} : { cursor }) });
      const page = await servedBy(service).call(`GET /api/v3/events?${query.toString()}`);
      expect([cursor, page.status]).toEqual([cursor, 200]);
      found.push(...page.body.data);
      cursor = page.body.meta.cursor.next;
      if (page.body.meta.cursor.has_more !== true) return found;
    }
  }
  /** The first events of a stream for a client that sends the id of its last event. */
  async function streamedBehind(service: TestService, lastEventId: string, count: number) {
    const ended = new AbortController();
    const { body } = await fetch(new URL('/api/v3/events', service.url), {
      headers: {
        authorization: `Bearer ${workspace.apiKey}`,
        accept: 'text/event-stream',
        'last-event-id': lastEventId,
      },
      signal: ended.signal,
    });
    if (body === null) throw new Error('no stream was opened');
    let text = '';
    const ids = (): readonly string[] => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id);
    for await (const piece of body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (ids().length >= count) break;
    }
    ended.abort();
    return ids();
  }
  /** Each earlier cursor is followed by the same events as before, and by later ones. */
  async function expectFeedGoesOn(service: TestService): Promise<void> {
    expect(await feedBehind(service, null)).toEqual(feed);
    for (const [index, { id }] of feed.entries())
      expect([id, await feedBehind(service, id)]).toEqual([id, feed.slice(index + 1)]);
    const [first, ...others] = feed;
    const ids = others.map(({ id }) => id);
    expect(await streamedBehind(service, first?.id ?? '', ids.length)).toEqual(ids);
  }
  const verified = async (service: TestService): Promise<unknown> => {
    const { status, body } = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect([status, body.ok]).toEqual([200, true]);
    return body;
  };
  const KEYED = { 'idempotency-key': 'moved-with-the-house' };
  const NEW_AGENT = { type: 'keyword_post_search', parameters: { tracking_keywords: ['moved'] } };
  let keyedAnswer: unknown;

  beforeAll(async () => {
    server = await startEventStoreDbServer();
    esdb = { kind: 'esdb', url: server.url };
    const service = await startOn('old', oldFile, networkOf('old'));
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    workspace = await service.workspace();
    owned = await furnish(service, workspace);
    const { status, body } = await workspace.call('POST /api/v2/agents', NEW_AGENT, KEYED);
    expect(status).toBe(201);
    keyedAnswer = body;
    await service.ops('work.drain');
    answersBefore = await allAnswers(service);
    ledgerBefore = await verified(service);
    feed = await feedBehind(service, null);
    await stop(service);
  });
  afterAll(async () => {
    for (const service of services) await service.service.stop();
    server.stop();
  });

  it('begins with data of every kind', () => {
    expect(questions.length).toBeGreaterThan(25);
    const found = [...answersBefore.values()].filter((answer) => answer.startsWith('200 '));
    expect(found).toHaveLength(questions.length);
    expect([...answersBefore].filter(([, answer]) => /"data":\[\]/.test(answer)).length).toBeLessThan(5);
  });

  it('copies to an EventStoreDB, and from there back into a file with the same hash', async () => {
    const there = await copyStore(oldFile, esdb);
    expect(there.copied).toBeGreaterThan(100);
    const back = await copyStore(esdb, { kind: 'sqlite', path: join(folder, 'back', 'events.db') });
    expect([back.sha256, back.copied]).toEqual([there.sha256, there.copied]);
    firstHash = there.sha256;
    expect((await carried('old', 'new')).records).toBeGreaterThan(0);
    mkdirSync(join(folder, 'new'), { recursive: true });
    await copySecretStore(secretsOf('old'), secretsOf('new'));
  });

  it('answers every query byte for byte from read models that were rebuilt there', async () => {
    const service = await startOn('new', esdb, networkOf('new'));
    expect(await allAnswers(service)).toEqual(answersBefore);
    expect(await verified(service)).toEqual(ledgerBefore);
    // A start writes no new event.
    const back = await copyStore(esdb, { kind: 'sqlite', path: join(folder, 'back', 'events.db') });
    expect([back.sha256, back.copied]).toEqual([firstHash, 0]);
  });

  it('DLV-01 continues there after every cursor of the feed from the old store', async () => {
    const service = services[0];
    if (service === undefined) throw new Error('no service runs');
    expect(new Set(feed.map(({ type }) => type)).size).toBeGreaterThan(2);
    await expectFeedGoesOn(service);
  });

  it('knows the keyed requests of the old store, and charges a post once across both', async () => {
    const service = services[0];
    if (service === undefined) throw new Error('no service runs');
    const again = await servedBy(service).call('POST /api/v2/agents', NEW_AGENT, KEYED);
    expect([again.status, again.body]).toEqual([201, keyedAnswer]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');

    await service.ingest([
      observedPerson('ana', employed('acme', 'VP Sales')),
      observedPost('after-the-move', 'ana', 'a crm again', '2026-05-31T11:00:00Z'),
    ]);
    const agentId = ownedId(owned, '/api/v2/agents/');
    const run = await seeRunThrough(service, servedBy(service), agentId);
    expect(run).toMatchObject({ stage: 'completed', matches_found: 1 });
    expect(run.signal_request_id).toBeGreaterThan(ownedId(owned, '/api/v2/workspace/signal-runs/'));
    await verified(service);
    const before = feed.length;
    feed = await feedBehind(service, null);
    expect(feed.slice(before).map(({ type }) => type)).toEqual(['signal.detected', 'run.ended']);
    await expectFeedGoesOn(service);
  });

  it('moves back into a file with all later events, to the same answers', async () => {
    const [service] = services;
    if (service === undefined) throw new Error('no service runs');
    const answers = await allAnswers(service);
    expect(answers).not.toEqual(answersBefore);
    await stop(service);
    const home: EventStoreUrl = { kind: 'sqlite', path: join(folder, 'home-events.db') };
    const copied = await copyStore(esdb, home);
    expect(copied.sha256).not.toBe(firstHash);
    await carried('new', 'home');
    mkdirSync(join(folder, 'home'), { recursive: true });
    await copySecretStore(secretsOf('new'), secretsOf('home'));
    const last = await startOn('home', home, networkOf('home'));
    expect(await allAnswers(last)).toEqual(answers);
    await expectFeedGoesOn(last);
  });
});
