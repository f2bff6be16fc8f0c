import { createHash } from 'node:crypto';
import type { NetworkStore } from '#network/network-store.js';
import type { PollStore } from '#network/poll-store.port.js';
import type { SourceDocument } from '#projections/sources/sources/sources.projection.js';
import type { WebAnswer } from '../support/web-server.js';

/** A job board of Greenhouse, as the service stores it. */
export const greenhouseSource: SourceDocument = {
  id: 1,
  kind: 'greenhouse',
  boardId: 'acme',
  name: 'Acme jobs',
  url: 'https://boards.greenhouse.io/acme',
  subject: { entity: 'company', by: 'domain', value: 'acme.com' },
  subjectName: 'acme.com',
  redactsContacts: true,
  isShared: false,
  baseUrl: null,
  match: null,
  mapping: null,
  addedPosition: '1',
  earlier: [],
  hasMoved: null,
  terms: { url: 'https://terms.example', verdict: 'public', readOn: '2026-01-01' },
  addedAt: '2026-02-01T00:00:00.000Z',
  status: 'active',
};

export type Job = { readonly id: number; readonly title?: string; readonly on?: string };

const job = ({ id, title = `Engineer ${id}`, on = '2026-01-10' }: Job) => ({
  id,
  title,
  content: 'builds things',
  absolute_url: `https://boards.greenhouse.io/acme/jobs/${id}`,
  first_published: `${on}T00:00:00Z`,
});

/** The board with these jobs, as its provider documents it, with an ETag. */
export const board =
  (...jobs: readonly Job[]): WebAnswer =>
  (request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    const body = JSON.stringify({ jobs: jobs.map(job), meta: { total: jobs.length } });
    const etag = `"${createHash('sha256').update(body).digest('hex')}"`;
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    response.writeHead(200, { etag }).end(body);
  };

/** No robots.txt, and this answer to everything else. */
export const answering =
  (status: number, headers: Record<string, string> = {}, body: string | Uint8Array = ''): WebAnswer =>
  (request, response) =>
    void (request.url === '/robots.txt'
      ? response.writeHead(404).end()
      : response.writeHead(status, headers).end(body));

/** The turns of hosts in memory, as a store of polls keeps them. */
export function hostTurns(): Pick<PollStore, 'requestTimeOf' | 'holdBack'> & {
  readonly of: Map<string, number>;
} {
  const of = new Map<string, number>();
  return {
    of,
    async requestTimeOf(host, atMs, paceMs, latestMs) {
      const turnMs = Math.max(atMs, of.get(host) ?? atMs);
      if (turnMs <= latestMs) of.set(host, turnMs + paceMs);
      return turnMs;
    },
    holdBack: async (host, untilMs) => void of.set(host, Math.max(untilMs, of.get(host) ?? 0)),
  };
}

/** A network whose process ends before the write of a poll after this many writes (SRC-06). */
export function crashing(store: NetworkStore, after: number): NetworkStore {
  let left = after;
  const orDie =
    <Arguments extends unknown[], Result>(work: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      if (left <= 0) throw new Error('crashed');
      left -= 1;
      return work(...given);
    };
  const { polls, write } = store;
  const { claim, closePostings, keep, markRead, settle } = polls;
  return {
    ...store,
    write: orDie(write),
    polls: {
      ...polls,
      claim: orDie(claim),
      closePostings: orDie(closePostings),
      keep: orDie(keep),
      markRead: orDie(markRead),
      settle: orDie(settle),
    },
  };
}
