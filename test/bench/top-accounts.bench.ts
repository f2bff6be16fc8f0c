import { performance } from 'node:perf_hooks';
import { startTestService, type Answer, type TestWorkspace } from '../support/service.js';
import { below, percentile, timed, type Bench } from './bench.js';

const ACCOUNTS = 10_000;
const URL_LENGTH = 200;
const LIMIT_POST_MS = 2_000;
const LIMIT_RESOLVED = 1_000;
const LIMIT_ENDED = 250;
const LIMIT_OTHER_MS = 50;

/** URLs of companies unknown to the network, each of the maximum length. */
function accounts(): readonly object[] {
  return Array.from({ length: ACCOUNTS }, (_, index) => {
    const start = `https://www.network.example/company/account-${index}?trk=`;
    return { network_url: start.padEnd(URL_LENGTH, 'x') };
  });
}

/** Repeats a small request until `done`; returns the duration of each, in milliseconds. */
async function askMeanwhile(workspace: TestWorkspace, done: () => boolean): Promise<readonly number[]> {
  const times: number[] = [];
  while (!done()) {
    times.push(await timed(() => workspace.call('GET /api/v3/credits/balance')));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return times;
}

export const topAccountsBench: Bench = {
  name: 'top-accounts',
  async run() {
    const service = await startTestService();
    const workspace = await service.workspace();
    const other = await service.workspace();
    await workspace.call('POST /api/v2/personas', { job_title: ['Sales'], location: ['France'] });
    const statusOf = async (): Promise<Answer['body']> =>
      (await workspace.call('GET /api/v2/top-account-list/ingestion-status')).body.data;
    const until = async (isReached: (status: Answer['body']) => boolean): Promise<void> => {
      while (!isReached(await statusOf())) await new Promise((resolve) => setTimeout(resolve, 100));
    };
    const body = { accounts: accounts() };
    const heapBefore = process.memoryUsage().heapUsed;
    let isOver = false;
    const asking = askMeanwhile(other, () => isOver);
    let status = 0;
    const postMs = await timed(async () => {
      status = (await workspace.call('POST /api/v2/top-account-list/accounts', body)).status;
    });
    const startedAtMs = performance.now();
    await until(({ found, not_found: notFound }) => found + notFound === ACCOUNTS);
    const resolvedMs = performance.now() - startedAtMs;
    await until((progress) => progress.status === 'idle' && progress.pending === 0);
    const endedMs = performance.now() - startedAtMs;
    isOver = true;
    const times = await asking;
    await service.ops('work.drain');
    const ends = await workspace.call(
      'GET /api/v2/content-requests?stage=account_mapping_failed&stage=completed',
    );
    const { total } = ends.body.meta.pagination;
    const heapGrowth = Math.round((process.memoryUsage().heapUsed - heapBefore) / 1024 / 1024);
    await service.stop();
    const proof = `${status}; ${total} of ${2 * ACCOUNTS} requests ended; heap +${heapGrowth} MiB; ${times.length} other requests`;
    return [
      below(
        `POST of ${ACCOUNTS} accounts with URLs of ${URL_LENGTH} characters`,
        'ms',
        postMs,
        LIMIT_POST_MS,
        proof,
      ),
      {
        what: 'accounts looked up',
        measured: (ACCOUNTS / resolvedMs) * 1_000,
        unit: 'accounts/s',
        beside: 'limit',
        besideValue: LIMIT_RESOLVED,
        goal: { atLeast: 1 },
        proof,
      },
      {
        what: 'both pipelines of unknown accounts ended, looked up meanwhile',
        measured: (ACCOUNTS / endedMs) * 1_000,
        unit: 'accounts/s',
        beside: 'limit',
        besideValue: LIMIT_ENDED,
        goal: { atLeast: 1 },
        proof,
      },
      below(
        "p99 of another workspace's request meanwhile",
        'ms',
        percentile(times, 0.99),
        LIMIT_OTHER_MS,
        proof,
      ),
    ];
  },
};
