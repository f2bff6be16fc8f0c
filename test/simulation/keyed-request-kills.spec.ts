import { feedSource } from '#delivery/event-feed.js';
import { signalsOfCharges } from '#signals/launching/signals-of-charges.js';
import { ApiModule } from '#apps/api/src/api.module.js';
import { apiKeyAuthentication } from '#http/authentication.js';
import { Cursors } from '#http/cursors.js';
import { createHttpApp, type HttpApp } from '#http/http-app.js';
import { createLogger } from '#http/log.js';
import { createCommands } from '#kernel/commands/commands.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { createIds } from '#kernel/commands/ids.js';
import { WorkspaceLocks } from '#signals/quoting/workspace-locks.js';
import { apiKeyDirectory } from '#access/api-key-directory.js';
import { keyedRequests } from '#keyed-requests/keyed-requests.js';
import { keywordAgent } from '#test/support/observed-network.js';
import { KEYWORD_TEMPLATE, signalSetup } from '#test/support/signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { soon } from '../support/event-stores.js';
import { faultyEventStore, type AppendFault } from '../support/faulty-event-store.js';
import { failedIn, killedAt, killedPoints, type Campaign } from '../support/killed-points.js';
import { lifeUntil, mortal, type Life, type Lived } from '../support/mortal.js';
import { uncountedKeys } from '#test/support/uncounted-keys.js';

/** The parts that belong to one life of the process; the app uses those of the current life. */
type Living = ReturnType<typeof keyedRequests> & {
  readonly readModels: TestService['service']['host']['readModels'];
};

const LONGER_THAN_A_LEASE_MS = 61_000;

let service: TestService;
let workspace: TestWorkspace;
let app: HttpApp;
let url: string;
let living: Living;
let nowMs = Date.now();

/** A port that always forwards to the living process. */
function ofTheLiving<Port extends object>(port: () => Port): Port {
  return new Proxy({} as Port, { get: (_, name) => Reflect.get(port(), name) });
}

/** A new process on the same stores, without caches and running work. */
function begin(life: Life, over: (events: EventStore) => EventStore = (events) => events): void {
  const { eventStore, readModels, progress, clock } = service.service.host;
  const events = over(mortal(eventStore, life, ['readStream', 'readAll']));
  const commands = createCommands({
    eventStore: events,
    clock,
    progress: mortal({ reached: progress.reached, isParked: async () => false }, life),
    // a failure is reported at once
    retry: { tries: 1, firstDelayMs: 1, longestDelayMs: 1 },
  });
  const ids = createIds(events, clock);
  const keyed = keyedRequests({
    commands,
    ids,
    clock,
    liveKeys: uncountedKeys,
    holder: 'a-host:1:x',
    nowMs: () => nowMs,
  });
  living = { ...keyed, readModels: mortal(readModels, life) };
}

type Answered = { readonly status: number; readonly text: string; readonly replayed: string | null };

/** Sends a request with a key; null if the process dies before the answer. */
async function ask(post: Post, key: string, life: Life): Promise<Answered | null> {
  const patience = new AbortController();
  const asked = fetch(url + post.path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${workspace.apiKey}`,
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    body: JSON.stringify(post.body),
    signal: patience.signal,
  }).then(async (response) => ({
    status: response.status,
    text: await response.text(),
    replayed: response.headers.get('idempotency-replayed'),
  }));
  const end = await soon(`${post.path} with ${key}`, Promise.race([asked, life.death]));
  if (end !== 'died') return end;
  patience.abort();
  await asked.catch(() => undefined);
  return null;
}

type Post = {
  readonly path: string;
  readonly body: object;
  readonly status: number;
  /** The events of one effect, in order. */
  readonly effect: readonly string[];
};

const OF_THE_MECHANISM = /^(Request[A-Z]|BlockReserved$)/;

/** The events appended since, without claims and sequences. */
async function eventsSince(position: string): Promise<readonly StoredEvent[]> {
  const found: StoredEvent[] = [];
  for await (const { events } of service.service.host.eventStore.readAll({ after: position })) {
    found.push(...events.filter(({ type }) => !OF_THE_MECHANISM.test(type)));
  }
  return found;
}

let keys = 0;
const newKey = (): string => `key-${(keys += 1)}`;

/** The effect happened once, and a repetition gets the same answer. */
async function expectOnce(post: Post, key: string, before: string, answer: Answered | null): Promise<void> {
  expect(answer).toMatchObject({ status: post.status });
  expect((await eventsSince(before)).map(({ type }) => type)).toEqual(post.effect);
  const life = lifeUntil(Infinity);
  begin(life);
  // an answer that could not be stored is computed again by the next attempt, and stored then
  expect(await ask(post, key, life)).toMatchObject({ status: post.status, text: answer?.text });
  expect(await ask(post, key, life)).toEqual({ ...answer, replayed: 'true' });
  expect((await eventsSince(before)).map(({ type }) => type)).toEqual(post.effect);
}

type Asked = {
  readonly post: Post;
  readonly key: string;
  readonly before: string;
  /** The last answer. */
  answer: Answered | null;
};

/** A request with a key of its own each time; the one that follows a death comes after the lease of the claim. */
const requests = (post: () => Promise<Post>, pointsOf: Campaign<Asked>['pointsOf']): Campaign<Asked> => ({
  pointsOf,
  begin: async () => ({
    post: await post(),
    key: newKey(),
    before: await service.service.host.eventStore.head(),
    answer: null,
  }),
  workUntil: askUntil,
  async finish(asked) {
    if (asked.answer !== null) return;
    nowMs += LONGER_THAN_A_LEASE_MS;
    await askUntil(asked, Infinity);
  },
  check: ({ post, key, before, answer }) =>
    expectOnce(post, key, before, answer).catch(failedIn(`POST ${post.path}`)),
});

async function askUntil(asked: Asked, fatalPoint: number): Promise<Lived> {
  const life = lifeUntil(fatalPoint);
  begin(life);
  asked.answer = await ask(asked.post, asked.key, life);
  return { died: asked.answer === null, points: life.points() };
}

async function posts(): Promise<readonly Post[]> {
  const { body: templates } = await workspace.call('GET /api/v3/signal-templates?page_size=100');
  const template = templates.data.find(({ key }: { readonly key: string }) => key === KEYWORD_TEMPLATE);
  const parameters = { tracking_keywords: ['crm'] };
  return [
    {
      path: '/api/v2/lists',
      body: { type: 'competitor', name: 'Rivals' },
      status: 201,
      effect: ['ListCreated'],
    },
    { path: '/api/v2/personas', body: { tag: null }, status: 201, effect: ['PersonaCreated'] },
    {
      path: '/api/v2/agents',
      body: { type: 'keyword_post_search', parameters, schedule: { cadence: 'weekly' } },
      status: 201,
      effect: ['AgentCreated', 'ScheduleSwitchedOn'],
    },
    {
      path: '/api/v3/signal-setups',
      body: { signal_template_id: template.id, name: 'Keywords', parameters },
      status: 201,
      effect: ['SignalSetupCreated'],
    },
    { path: '/api/v2/lists', body: { type: 'nothing' }, status: 422, effect: [] },
  ];
}

const LAUNCH: Omit<Post, 'body'> = {
  path: '/api/v2/workspace/signal-runs',
  status: 202,
  effect: ['RunLaunched'],
};

describe('OP-66 a POST with an Idempotency-Key', () => {
  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual' });
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    workspace = await service.workspace();
    await workspace.call('POST /api/v2/personas', { job_title: ['VP Sales'], location: ['France'] });
    // Runs are launched and not executed.
    await service.service.host.runner.stop();
    const {
      chargeOrigins,
      clock,
      coverage,
      hasCapScope,
      topAccounts,
      eventStore,
      ledgers,
      logId,
      network,
      researchLimits,
    } = service.service.host;
    begin(lifeUntil(Infinity));
    app = await createHttpApp({
      rootModule: ApiModule.with({
        commands: ofTheLiving(() => living.commands),
        ids: ofTheLiving(() => living.ids),
        readModels: ofTheLiving(() => living.readModels),
        progress: service.service.host.progress,
        locks: new WorkspaceLocks(service.service.host.stores.reads),
        clock,
        network: network.source,
        directory: network.directory,
        researchLimits,
        coverage,
        topAccounts,
        ledgers,
        chargeOrigins,
        hasCapScope,
        monthsDue: async () => [],
        signalsOfCharges,
        eventFeed: feedSource(
          service.service.host.readModels,
          network.directory,
          service.service.host.projections,
        ),
        webhooks: service.service.host.webhooks,
        cursors: new Cursors('a secret'),
        networkBaseUrl: 'https://n.example',
        logId,
      }),
      callers: { apiKey: apiKeyAuthentication(apiKeyDirectory(eventStore), 60_000) },
      readiness: { report: async () => ({ ready: true, degraded: [], reasons: [] }) },
      logger: createLogger('silent'),
      docsUrl: 'https://d.example',
      claims: (asked) => living.claims(asked),
      closePatience: async () => undefined,
    });
    ({ url } = await app.listen(0, '127.0.0.1'));
  });
  afterAll(async () => {
    await app.close().finally(() => service.stop());
  });

  it('has its effect and its answer once, wherever the process died', async () => {
    for (const [index, post] of (await posts()).entries()) {
      // Different points of each.
      const campaign = requests(
        async () => post,
        (points) => killedPoints(points, index === 0 ? 2 : 5, 1 + (index % 5)),
      );
      await killedAt({ ...campaign, morePointsThan: post.effect.length === 0 ? 5 : 9 });
    }
  });

  it('RUN-10 launches once, wherever the process died: the retry is answered with the runs, not with 409 or 402', async () => {
    const agentOf = () => keywordAgent(workspace, 'crm');
    const setupOf = () => signalSetup(workspace, KEYWORD_TEMPLATE, { tracking_keywords: ['crm'] });
    for (const launchable of [agentOf, setupOf]) {
      const post = async () => ({ ...LAUNCH, body: { agent_id: await launchable() } });
      await killedAt(requests(post, (points) => killedPoints(points, launchable === agentOf ? 2 : 5)));
    }
  });

  it('is answered as carried out, also if what it needed is gone by then', async () => {
    const PRICE = 'agent:keyword_post_search';
    const priceOf = (credits: number) => service.ops('prices.set', { item: PRICE, credits });
    await priceOf(10);
    const limited = await keywordAgent(workspace, 'crm');
    const cases: readonly { readonly post: Post; readonly spoil: () => Promise<unknown> }[] = [
      {
        post: {
          path: '/api/v2/agents',
          body: {
            type: 'keyword_post_search',
            parameters: { tracking_keywords: ['crm'] },
            schedule: { cadence: 'weekly', max_credits: 15 },
          },
          status: 201,
          effect: ['AgentCreated', 'ScheduleSwitchedOn', 'ScheduleLimitSet'],
        },
        spoil: () => priceOf(20),
      },
      {
        post: {
          path: '/api/v3/credits/caps',
          body: { scope: 'agent', scope_id: limited, period: 'day', limit: 100 },
          status: 201,
          effect: ['CapSet'],
        },
        spoil: () => workspace.call(`DELETE /api/v2/agents/${limited}`),
      },
    ];
    for (const { post, spoil } of cases) {
      const campaign = requests(
        async () => post,
        () => [],
      );
      let asked: Asked;
      let point = 0;
      do {
        point += 1;
        asked = await campaign.begin();
        // Each ends before the answer: the last one after the effect.
        expect(await askUntil(asked, point)).toMatchObject({ died: true });
      } while ((await eventsSince(asked.before)).length === 0);
      const effect = await eventsSince(asked.before);
      await spoil();
      nowMs += LONGER_THAN_A_LEASE_MS;
      await askUntil(asked, Infinity);
      expect(asked.answer).toMatchObject({ status: post.status });
      expect(effect.map(({ type }) => type)).toEqual(post.effect);
    }
  });

  it('adds the members of a list once, wherever the process died', async () => {
    const { body } = await workspace.call('POST /api/v2/lists', { type: 'customer', name: 'Of members' });
    let added = 0;
    const post = async (): Promise<Post> => ({
      path: `/api/v2/lists/company/${body.data.id}/members`,
      body: { members: Array.from({ length: 3 }, () => ({ domain: `member-${(added += 1)}.test` })) },
      status: 200,
      effect: ['MembersAdded'],
    });
    await killedAt(requests(post, (points) => killedPoints(points, 1)));
  });

  it('has its effect once, for any failure of any append, and can be repeated at once', async () => {
    const faults: readonly AppendFault[] = ['unavailable', 'lost acknowledgement', 'lost request'];
    let refused = 0;
    for (const post of await posts()) {
      for (const fault of faults) {
        for (let failing = 0; failing < 6; failing += 1) {
          const key = newKey();
          const before = await service.service.host.eventStore.head();
          const life = lifeUntil(Infinity);
          begin(life, (events) =>
            faultyEventStore(events, { faultOf: (index) => (index === failing ? fault : null) }),
          );
          let answer = await ask(post, key, life);
          if (answer?.status === 503) {
            refused += 1;
            answer = await ask(post, key, life);
          }
          await expectOnce(post, key, before, answer).catch(
            failedIn(`POST ${post.path}, ${fault} of append ${failing}`),
          );
        }
      }
    }
    expect(refused).toBeGreaterThan(20);
  });

  it('is executed by exactly one of two processes that race for it', async () => {
    const [post] = await posts();
    if (post === undefined) throw new Error('nothing to ask');
    const { eventStore, progress, clock, readModels } = service.service.host;
    for (let round = 0; round < 20; round += 1) {
      const before = await eventStore.head();
      const key = newKey();
      const asked = Array.from({ length: 2 }, (_, index) => {
        const commands = createCommands({ eventStore, clock, progress });
        const ids = createIds(eventStore, clock);
        const holder = `host-${index}:1:x`;
        living = {
          ...keyedRequests({ commands, ids, clock, liveKeys: uncountedKeys, holder, nowMs: () => nowMs }),
          readModels,
        };
        const { claims } = living;
        return claims({ workspaceId: workspace.id, apiKeyId: 1, requestId: 'race', key, requestHash: 'h' });
      });
      const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(['claimed', 'running']);
      expect(await eventsSince(before)).toEqual([]);
    }
  });
});
