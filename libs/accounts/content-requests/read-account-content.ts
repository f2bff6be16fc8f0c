import { DAY_MS } from '#kernel/values/durations.js';
import { employeesOf } from '../employees-of.js';
import type { RequestOutcome } from '#accounts/domain/content-requests/content-request.js';
import { accountPage, ofNetwork } from '#accounts/mappings/analyse-company.js';
import type { ProcessHost } from '#process-engine/process.js';
import type { UnderWay } from './request-under-way.js';

/** What was read about a company. */
export type ReadContent = {
  readonly outcome: RequestOutcome;
  readonly people: number;
  readonly posts: number;
};

const POSTS_OF_DAYS = 90;
const READ_AT_ONCE = 500;

/** Reads a company again: its page, its current people, and their posts of the last 90 days (OP-58). */
export async function readAccountContent(
  host: ProcessHost,
  request: UnderWay,
  signal: AbortSignal,
): Promise<ReadContent> {
  const known = await accountPage(host, request);
  if (known === 'no page') return { outcome: 'missing_network_target', people: 0, posts: 0 };
  if (known === 'nobody') return { outcome: 'completed', people: 0, posts: 0 };
  return {
    outcome: 'completed',
    people: await ofNetwork(() => countPeople(host, known, signal)),
    posts: await ofNetwork(() => countPosts(host, known, signal)),
  };
}

async function countPeople(
  { directory }: ProcessHost,
  companyRef: string,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for await (const page of employeesOf(directory, companyRef, READ_AT_ONCE, signal)) {
    count += page.length;
  }
  return count;
}

async function countPosts(
  { network, clock }: ProcessHost,
  companyRef: string,
  signal: AbortSignal,
): Promise<number> {
  const until = clock.now();
  const window = {
    after: new Date(until.getTime() - POSTS_OF_DAYS * DAY_MS),
    until,
    whose: { companyRefs: [companyRef], personRefs: [] },
    limit: READ_AT_ONCE,
  };
  let count = 0;
  let position: string | null = null;
  do {
    signal.throwIfAborted();
    const { items, next }: Awaited<ReturnType<typeof network.posts>> = await network.posts({
      ...window,
      position,
    });
    count += items.length;
    position = next;
  } while (position !== null);
  return count;
}
