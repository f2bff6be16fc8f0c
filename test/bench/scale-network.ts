import type { NetworkStore } from '#network/network-store.js';
import type { Observation } from '#network/observation.js';
import type { Sighting } from '#network/sighting.js';
import { answerOf } from './script-process.js';
import { seededRandom } from '#test/support/seeded-random.js';

/** An observed network that is the same in every run: posts and authors of 90 days, employers, moves. */
export type ScaleNetwork = {
  readonly posts: number;
  readonly people: number;
  readonly postings: number;
  readonly companies: number;
  readonly moves: number;
};

export const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
export const LAST_MS = FIRST_MS + 90 * 86_400_000 - 1;
/** Each stands in every 200th post: together in 22 of 100. */
export const FREQUENT_WORDS: readonly string[] = Array.from({ length: 50 }, (_, index) => `frequent${index}`);
export const EMOJI = '🚀';

const BATCH = 1_000;
const VOCABULARY = 20_000;
const WORDS_OF_A_POST = 40;
const POSTS_WITH_EMOJI = 10_000;

/** The sizes for this many posts: a person per ten, a posting per twenty, a company and a move per fifty. */
export const scaledTo = (posts: number): ScaleNetwork => ({
  posts,
  people: Math.ceil(posts / 10),
  postings: Math.ceil(posts / 20),
  companies: Math.ceil(posts / 50),
  moves: Math.ceil(posts / 50),
});

/**
 * Creates the file of a network of this many posts in a separate process, so that collecting its garbage does not block the
 * event loop of this one. Resolves with the milliseconds of the processor.
 */
export const fillNetworkApart = (path: string, posts: number): Promise<number> =>
  answerOf('./fill-scale-network.js', { NETWORK_PATH: path, SCALE_POSTS: String(posts) });

/** Writes the network into a store; `onPosts` gets the number of posts written so far. */
export async function fillScaleNetwork(
  store: Pick<NetworkStore, 'write'>,
  network: ScaleNetwork,
  onPosts: (written: number) => void,
): Promise<void> {
  const write = async (count: number, of: (index: number) => Observation): Promise<void> => {
    for (let start = 0; start < count; start += BATCH) {
      const size = Math.min(BATCH, count - start);
      await store.write(Array.from({ length: size }, (_, index) => piped(of(start + index))));
      if (of === post) onPosts(start + size);
    }
  };
  const random = seededRandom(7);
  const post = (index: number): Observation => ({
    kind: 'post',
    ref: `t:${index}`,
    rev: 1,
    authorRef: `p:${Math.floor(random() * network.people)}`,
    url: null,
    text: textOf(index, random),
    publishedAt: timeOf(index, network.posts),
  });
  const employer = (person: number): string => `c:${person % network.companies}`;
  await write(network.companies, (index) => ({
    ...NO_COMPANY_FACTS,
    kind: 'company',
    ref: `c:${index}`,
    rev: 1,
    handle: `c-${index}`,
    name: `Company ${index}`,
  }));
  const person = (index: number, rev: number, companyRef: string): Observation => ({
    ...NO_PERSON_FACTS,
    kind: 'person',
    ref: `p:${index}`,
    rev,
    handle: `p-${index}`,
    firstName: 'Person',
    lastName: `${index}`,
    geo: index % 2 === 0 ? PARIS : null,
    experiences: [
      { ...NO_POSITION_FACTS, title: `Engineer ${index % 100}`, companyRef, startDate: '2025-12' },
    ],
    observedAt: rev === 1 ? null : timeOf(index, network.moves),
  });
  await write(network.people, (index) => person(index, 1, employer(index)));
  await write(network.moves, (index) => person(index, 2, employer(index + 1)));
  await write(network.postings, (index) => ({
    kind: 'job_posting',
    ref: `j:${index}`,
    rev: 1,
    companyRef: `c:${index % network.companies}`,
    title: `Engineer ${index % 100}`,
    description: textOf(index, random),
    location: null,
    url: null,
    hiringManagerRef: null,
    postedAt: timeOf(index, network.postings),
  }));
  await write(network.posts, post);
}

/** Words with the frequencies of a language, a few often and most rarely, and one in 200 of each searched word. */
function textOf(index: number, random: () => number): string {
  const words = Array.from({ length: WORDS_OF_A_POST }, () => `w${Math.floor(VOCABULARY ** random()) - 1}`);
  for (const frequent of FREQUENT_WORDS) if (random() < 1 / 200) words.push(frequent);
  if (index % POSTS_WITH_EMOJI === 0) words.push(EMOJI);
  return words.join(' ');
}

const timeOf = (index: number, count: number): string =>
  new Date(FIRST_MS + Math.floor((index * (LAST_MS - FIRST_MS)) / count)).toISOString();

const piped = (observation: Observation): Sighting => ({
  observation,
  isAutomatic: false,
  closedAtMs: null,
  source: null,
});

const NO_COMPANY_FACTS = {
  domains: [],
  industry: null,
  employees: null,
  employeeRange: null,
  foundedYear: null,
  tagline: null,
  activitySummary: null,
  logoUrl: null,
  locations: [],
};
const NO_PERSON_FACTS = { headline: null, about: null, avatarUrl: null, email: null, phone: null };
const PARIS = { city: 'Paris', region: null, country: 'France', countryCode: 'FR' };
const NO_POSITION_FACTS = {
  companyName: null,
  endDate: null,
  department: null,
  seniority: null,
  location: null,
};
