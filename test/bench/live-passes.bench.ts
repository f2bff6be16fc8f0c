import { setTimeout as delay } from 'node:timers/promises';
import type { CoverageQuestion } from '#signals/detection/coverage.port.js';
import { employed, observedCompany, observedPerson, observedPost } from '../support/observed-network.js';
import { startTestService, type TestService } from '../support/service.js';
import { KEYWORD_TEMPLATE, templateIdsOf } from '../support/signal-runs.js';
import { whileAskingBalance } from './ask-balance.js';
import { below, percentile, throughput, timed, type Bench } from './bench.js';
import { seededText } from './seeded-text.js';

/** The goal is about 10,000 setups; daily use takes a tenth. */
const SETUPS = Number(process.env['LIVE_SETUPS'] ?? 1_000);
const SECONDS = Number(process.env['LIVE_SECONDS'] ?? 30);
const POSTS_A_SECOND = 200;
/** One in this many posts mentions a keyword of one setup. */
const POSTS_TO_A_MATCH = 20;
const SETUPS_OF_A_WORKSPACE = 100;
const CREATED_AT_ONCE = 20;
const COMPANIES = 100;
const MOST_S = 60;
const GIVEN_UP_AFTER_S = 75;
const LOOK_EVERY_MS = 100;

const keywordOf = (setup: number): string => `keyword${setup}`;
const authorOf = (post: number): string => `person-${post % COMPANIES}`;

/** From the request with a post until its signal is stored: live passes of many setups in one process. */
export const livePassesBench: Bench = {
  name: 'live-passes',
  async run() {
    const covered = Array.from({ length: COMPANIES }, (_, index) => `c:company-${index}`);
    const coverage = { coveredAccounts: async (_asked: CoverageQuestion) => covered };
    const environment = { NODE_ENV: 'production', MONITORING_PASS: 'live' };
    const service = await startTestService(environment, undefined, { coverage });
    try {
      await service.ingest(
        covered.flatMap((_, index) => [
          observedCompany(`company-${index}`),
          observedPerson(`person-${index}`, employed(`company-${index}`, 'VP Sales')),
        ]),
      );
      const madeMs = await timed(() => makeSetups(service));
      const { apiKey } = await service.workspace();
      const stored = followDetections(service);
      const before = process.cpuUsage();
      let sentAt: ReadonlyMap<string, number> = new Map();
      const balances = await whileAskingBalance(service.url, apiKey, async () => {
        sentAt = await ingestSteadily(service);
        const until = performance.now() + GIVEN_UP_AFTER_S * 1_000;
        const isStored = (): boolean => [...sentAt.keys()].every((subject) => stored.at.has(subject));
        while (!isStored() && performance.now() < until) await delay(LOOK_EVERY_MS);
      });
      const { user, system } = process.cpuUsage(before);
      await stored.end();
      const times = [...sentAt].map(([subject, at]) => ((stored.at.get(subject) ?? Infinity) - at) / 1_000);
      const found = times.filter(Number.isFinite).length;
      return [
        below(
          `from ingest to the stored signal, ${SETUPS.toLocaleString('en')} setups, ${POSTS_A_SECOND} posts a second for ${SECONDS} s, p99`,
          's',
          percentile(times, 0.99),
          MOST_S,
          `${found} of ${sentAt.size} stored, ${stored.again()} of them twice; p50 ${percentile(times, 0.5).toFixed(1)} s; ${((user + system) / 1e6).toFixed(1)} s of processor; balance p50 ${percentile(balances, 0.5).toFixed(1)} and p99 ${percentile(balances, 0.99).toFixed(1)} ms; setups made in ${(madeMs / 1_000).toFixed(0)} s`,
        ),
      ];
    } finally {
      await service.stop();
    }
  },
};

/** Each setup has its own keyword. */
async function makeSetups(service: TestService): Promise<void> {
  for (let first = 0; first < SETUPS; first += SETUPS_OF_A_WORKSPACE) {
    const workspace = await service.workspace();
    await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['Japan'] });
    const templateId = (await templateIdsOf(workspace)).get(KEYWORD_TEMPLATE);
    await throughput(CREATED_AT_ONCE, Math.min(SETUPS_OF_A_WORKSPACE, SETUPS - first), async (index) => {
      const parameters = { tracking_keywords: [keywordOf(first + index)] };
      const body = { signal_template_id: templateId, parameters };
      const { status, body: created } = await workspace.call('POST /api/v3/signal-setups', body);
      if (status !== 201) throw new Error(`no setup: ${JSON.stringify(created)}`);
    });
  }
}

/**
 * Sends the posts of each second together; returns the sending time of each subject that a setup matches, in
 * milliseconds.
 */
async function ingestSteadily(service: TestService): Promise<ReadonlyMap<string, number>> {
  const sentAt = new Map<string, number>();
  const startedAt = performance.now();
  let matches = 0;
  for (let second = 0; second < SECONDS; second += 1) {
    await delay(Math.max(0, startedAt + second * 1_000 - performance.now()));
    const now = new Date().toISOString();
    const posts = Array.from({ length: POSTS_A_SECOND }, (_, index) => {
      const post = second * POSTS_A_SECOND + index;
      const { words } = seededText(post);
      if (post % POSTS_TO_A_MATCH !== 0) return observedPost(`${post}`, authorOf(post), words(40), now);
      // Neighbours in time are setups of different workspaces.
      const setup = (matches * 7_919) % SETUPS;
      matches += 1;
      sentAt.set(`post:post:${post}`, performance.now());
      return observedPost(`${post}`, authorOf(post), `${words(40)} ${keywordOf(setup)}`, now);
    });
    const { status, body } = await service.ingest(posts);
    if (status !== 200) throw new Error(`no posts: ${JSON.stringify(body)}`);
  }
  return sentAt;
}

/** The first detection time of each subject, in milliseconds. */
function followDetections({ service }: TestService): {
  readonly at: ReadonlyMap<string, number>;
  readonly again: () => number;
  readonly end: () => Promise<void>;
} {
  const at = new Map<string, number>();
  let again = 0;
  const ending = new AbortController();
  const follow = async (): Promise<void> => {
    const { eventStore } = service.host;
    const types = ['SignalDetected'];
    for await (const { events } of eventStore.subscribe({
      after: await eventStore.head(),
      types,
      signal: ending.signal,
    })) {
      for (const { data } of events) {
        const subject = String(data['subject']);
        if (at.has(subject)) again += 1;
        else at.set(subject, performance.now());
      }
    }
  };
  const followed = follow().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return {
    at,
    again: () => again,
    end() {
      ending.abort();
      return followed;
    },
  };
}
