import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { NetworkStore } from '#network/network-store.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { readCidrs } from '#outbound/addresses.js';
import { createOutbound } from '#outbound/outbound.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { parseHere } from '#sources/parse-here.js';
import { politeClient } from '#sources/polite-client.js';
import { pollSource } from '#sources/poll-source.js';
import { untilDeath, type Lived } from '../support/mortal.js';
import {
  embeddedStores,
  openSignalHouse,
  PRICE,
  type Launched,
  type SignalHouse,
} from '../support/signal-house.js';
import { expectLedgerAgrees } from '../support/signal-run-checks.js';
import { startWebServer, type WebServer } from '../support/web-server.js';
import { ingest } from '../contract/network-store/observed.js';
import { answering, board, crashing, greenhouseSource } from './boards.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const never = new AbortController().signal;
/** About the number of points of a run. */
const MOST_POINTS = 80;

type Jobs = readonly number[];
const jobs = fc.uniqueArray(fc.nat(6), { maxLength: 6 });
/** The events between a run's workers. */
const poll = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ does: 'polls' } as const) },
  { weight: 3, arbitrary: fc.nat(6).map((after) => ({ does: 'crashes in a poll', after }) as const) },
  { weight: 2, arbitrary: jobs.map((shown) => ({ does: 'changes', shown }) as const) },
  { weight: 1, arbitrary: fc.constant({ does: 'loses the network' } as const) },
  { weight: 1, arbitrary: fc.constantFrom(404, 500).map((status) => ({ does: 'fails', status }) as const) },
);
/** A run whose workers die at these points, with the events between their lives. */
const run = fc
  .array(fc.tuple(fc.integer({ min: 1, max: MOST_POINTS }), fc.array(poll, { maxLength: 2 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((deaths) => ({ does: 'runs', deaths }) as const);
type Step =
  | (typeof poll extends fc.Arbitrary<infer One> ? One : never)
  | (typeof run extends fc.Arbitrary<infer One> ? One : never);

describe('polls of a board, and paid runs over its postings', () => {
  let folder: string;
  let house: SignalHouse;
  let server: WebServer;
  let network: NetworkStore;
  let networks = 0;
  const opened: NetworkStore[] = [];
  /** The real time, which determines the polls. */
  let nowMs = Date.parse('2026-03-01T00:00:00Z');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'polls-and-charges-'));
    server = await startWebServer(board());
    await loseNetwork();
    const stores = await embeddedStores();
    house = await openSignalHouse(async () => ({ ...stores, network: whicheverIsThere() }));
  });
  afterAll(async () => {
    await house.close();
    for (const each of opened) await each.close();
    await server.close();
    await rm(folder, { recursive: true });
  });

  async function loseNetwork(): Promise<void> {
    networks += 1;
    const path = join(folder, `network-${networks}.db`);
    network = await openSqliteNetwork({ path, networkBaseUrl: 'https://n.example' });
    opened.push(network);
    await ingest(network, [{ kind: 'company', ref: 'c:acme', handle: 'acme', domains: ['acme.com'] }]);
  }
  /** Delegates to the network store that is open now. */
  function whicheverIsThere(): NetworkStore {
    const part = <Name extends 'directory' | 'source' | 'arrivals' | 'polls'>(
      name: Name,
    ): NetworkStore[Name] =>
      new Proxy(network[name], { get: (_, member) => Reflect.get(network[name], member) });
    return {
      directory: part('directory'),
      source: part('source'),
      arrivals: part('arrivals'),
      polls: part('polls'),
      write: (sightings) => network.write(sightings),
      ingest: (chunks, options) => network.ingest(chunks, options),
      ping: () => network.ping(),
      close: async () => undefined,
    };
  }

  const outbound = createOutbound({ allowed: readCidrs('127.0.0.0/8') ?? [] });
  async function polled(store: NetworkStore): Promise<void> {
    nowMs += 7 * HOUR_MS;
    const client = politeClient({
      outbound: {
        request: (request) =>
          outbound.request({ ...request, url: request.url.replace(/^https:\/\/[^/]+/, server.origin) }),
      },
      polls: store.polls,
      contact: 'ops@acme.example',
      nowMs: () => (nowMs += 1),
      pause: async () => undefined,
    });
    const parts = { network: store, client, parse: parseHere, holder: 'one', random: () => 0.5 };
    const times = { now: house.now, nowMs: () => (nowMs += 1), hasSeveralWorkspaces: async () => false };
    await pollSource({ ...parts, ...times, sourceAt: async () => null }, greenhouseSource, {
      isAsked: true,
      signal: never,
    });
  }

  const work = (launched: Launched, fatalPoint: number): Promise<Lived> =>
    untilDeath(fatalPoint, (life) => executeSignalRun.act(house.worker(life), launched.work, never));

  /** The paid items of the board, by the provider's ids, one for each capture of the workspace. */
  async function paidBy(workspaceId: number): Promise<readonly number[]> {
    const subjects = new Map<unknown, string>();
    const paid: number[] = [];
    for (const { type, data } of await house.eventsOf(workspaceId)) {
      if (type === 'CreditsHeld') {
        expect(data['credits']).toBe(String(PRICE));
        subjects.set(data['movementId'], String(Reflect.get(Object(data['cause']), 'subject')));
      }
      if (type === 'CreditsCaptured')
        paid.push(Number(/greenhouse:acme:(\d+)/.exec(subjects.get(data['movementId']) ?? '')?.[1]));
    }
    return paid;
  }

  it('SRC-06 each posting that a run sees is charged once, whatever is interrupted in between', async () => {
    let deaths = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(poll, run), { minLength: 4, maxLength: 10 }),
        jobs,
        async (steps, last) => {
          await loseNetwork();
          const workspaceId = await house.workspace({ mode: 'self' }, 10_000);
          const agentId = await house.agent(workspaceId);
          let shown: Jobs = [];
          const show = (ids: Jobs): void => {
            shown = ids;
            server.answer = board(...ids.map((id) => ({ id, on: '2026-02-25' })));
          };
          async function ran(lives: (Step & { readonly does: 'runs' })['deaths']): Promise<void> {
            const launched = await house.launch(workspaceId, agentId, {
              keyword: 'engineer',
              detection: {
                detectorKind: 'keyword_job_posting',
                signalTypes: ['jobPostingKeywordDetection'],
                parameters: { tracking_keywords: ['engineer'] },
                audiences: ['network'],
              },
            });
            let died = true;
            for (const [fatalPoint, between] of lives) {
              died = (await work(launched, fatalPoint)).died;
              if (!died) break;
              deaths += 1;
              for (const one of between) await happened(one);
            }
            if (died) expect((await work(launched, Infinity)).died).toBe(false);
            const paid = await paidBy(workspaceId);
            expect(new Set(paid).size).toBe(paid.length);
            await expectLedgerAgrees(house, launched);
          }
          async function happened(one: Step): Promise<void> {
            switch (one.does) {
              case 'changes':
                show(one.shown);
                break;
              case 'polls':
                await polled(network);
                break;
              case 'crashes in a poll':
                await polled(crashing(network, one.after)).catch(() => undefined);
                break;
              case 'loses the network':
                await loseNetwork();
                break;
              case 'fails':
                server.answer = answering(one.status);
                await polled(network);
                show(shown);
                break;
              case 'runs':
                house.advance(HOUR_MS);
                await ran(one.deaths);
            }
          }

          show([]);
          for (const one of steps) await happened(one);
          // A crashed poller keeps its claim for a while; an empty answer is confirmed by the next.
          nowMs += DAY_MS;
          show(last);
          for (let time = 0; time < 2; time += 1) await polled(network);
          house.advance(HOUR_MS);
          await ran([]);
          expect(await paidBy(workspaceId)).toEqual(expect.arrayContaining([...last]));
        },
      ),
      { numRuns: 15 },
    );
    expect(deaths).toBeGreaterThan(0);
  });
});
