import fc from 'fast-check';
import { CAREERS, narrowed, someOf } from './job-changes.proof.js';
import { byCodePoints, iso, type World } from './naive-world.js';
import { folded, shownPerson, texts, worth } from './naive-words.js';
import {
  latestEnded,
  moveFinding,
  movesOf,
  nameAt,
  presentOf,
  shownPosition,
  type NaiveMove,
} from './naive-moves.js';
import { isReported } from './naive-narrowing.js';
import type { DetectorProof, NaiveChampion, NaiveFinding, NaiveLaunch, Observed } from './proof.js';
import { careers } from './random-careers.js';
import { launchOf, maybe, NOW, one } from './random-network.js';

const DAY_MS = 24 * 60 * 60 * 1000;

/** An event about a champion, with the values that narrow an agent. */
type Happened = {
  readonly at: number;
  readonly ref: string;
  /** Order within one moment: given facts before observed ones. */
  readonly rank: string | number;
  readonly finding: NaiveFinding;
  readonly position: Observed | null;
  readonly company: unknown;
  readonly employers: readonly unknown[];
};

const counts = ({ observed_at }: NaiveMove, { addedAt }: NaiveChampion): boolean =>
  Date.parse(observed_at) >= Date.parse(addedAt) - 3 * DAY_MS;

/** D-51: whether a position is at the given company; null: unknown. */
function isAtGiven(world: World, given: Observed, position: Observed): boolean | null {
  const domains: readonly string[] = world.known('company', position.company_ref)?.domains ?? [];
  const name = nameAt(world, position);
  const answers = [
    ...(given.domain === null ? [] : [domains.length === 0 ? null : domains.includes(given.domain)]),
    ...(given.name === null ? [] : [name === null ? null : folded(name) === folded(given.name)]),
  ];
  return answers.includes(true) ? true : answers.includes(null) ? null : false;
}

/** D-51. */
function leftGivenCompany(
  world: World,
  launch: NaiveLaunch,
  champion: NaiveChampion,
  first: NaiveMove | undefined,
): readonly Happened[] {
  const { baselineCompany: given, personRef: ref, memberId } = champion;
  const person = world.known('person', ref);
  if (given === null || (first === undefined && person.experiences === undefined)) return [];
  const position = first === undefined ? presentOf(person.experiences) : first.from;
  if (position !== null && isAtGiven(world, given, position) !== false) return [];
  const seen = Math.max(Date.parse(person.observed_at ?? champion.addedAt), Date.parse(champion.addedAt));
  if (seen > Date.parse(launch.now)) return [];
  const ended = latestEnded(
    (person.experiences ?? []).filter((one: Observed) => isAtGiven(world, given, one) === true),
  );
  const ofDomain = world.all('company').filter(({ domains = [] }) => domains.includes(given.domain));
  const left = ofDomain.length === 1 ? ofDomain[0] : null;
  const company = position === null ? left : world.known('company', position.company_ref);
  const about = { company: company?.ref ?? null, lead: ref };
  return [
    {
      at: seen,
      ref,
      rank: `baseline:${ref}:${memberId}`,
      position: position ?? ended,
      company: about.company,
      employers: [left?.ref ?? ended?.company_ref, position?.company_ref],
      finding: {
        subject: `baseline:${ref}:${memberId}`,
        signalType: 'championJobChange',
        signalDate: new Date(seen).toISOString(),
        ...about,
        ...worth(world, launch, about),
        data: {
          profile: shownPerson(world, ref),
          change: position === null ? 'departure' : 'new_company',
          previous:
            ended === null
              ? {
                  title: null,
                  company_name: given.name ?? given.domain,
                  company_network_url: left === null ? null : `https://n.example/company/${left.handle}`,
                  end_date: null,
                }
              : { ...shownPosition(world, ended), end_date: ended.end_date },
          current: position && { ...shownPosition(world, position), start_date: position.start_date },
        },
      },
    },
  ];
}

/** D-50: all events about these champions, in order (D-05). */
function happenedTo(
  world: World,
  launch: NaiveLaunch,
  champions: readonly NaiveChampion[],
): readonly Happened[] {
  const known = champions.filter(({ personRef }) => world.known('person', personRef) !== null);
  const until = Date.parse(launch.now);
  const moves = movesOf(world)
    .filter(({ observed_at }) => Date.parse(observed_at) <= until)
    .sort(
      (left, right) => Date.parse(left.observed_at) - Date.parse(right.observed_at) || left.rev - right.rev,
    );
  const seen = moves
    .filter((move) => known.some((champion) => champion.personRef === move.ref && counts(move, champion)))
    .map((move): Happened => {
      const { previous, current, change } = move;
      const position = change === 'departure' ? previous : current;
      return {
        at: Date.parse(move.observed_at),
        ref: move.ref,
        rank: move.rev,
        position,
        company: position?.company_ref,
        employers: [previous?.company_ref, current?.company_ref],
        finding: moveFinding(world, launch, move, 'championJobChange', position),
      };
    });
  const given = known.flatMap((champion) =>
    leftGivenCompany(
      world,
      launch,
      champion,
      moves.find((move) => move.ref === champion.personRef && counts(move, champion)),
    ),
  );
  return [...given, ...seen].sort((left, right) => {
    if (left.at !== right.at) return left.at - right.at;
    if (left.ref !== right.ref) return byCodePoints(left.ref, right.ref);
    if (typeof left.rank === 'number' && typeof right.rank === 'number') return left.rank - right.rank;
    if (typeof left.rank !== typeof right.rank) return typeof left.rank === 'string' ? -1 : 1;
    return byCodePoints(String(left.rank), String(right.rank));
  });
}

function ofSetups(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const moves = texts(launch.parameters['moves']);
  return happenedTo(world, launch, launch.champions ?? [])
    .map(({ finding }) => finding)
    .filter(({ data }) => moves.length === 0 || moves.includes(String(data['change'])));
}

/** D-52. */
function ofAgents(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const due = (launch.champions ?? []).filter(
    ({ checkedAt }) => checkedAt === null || Date.parse(launch.now) - Date.parse(checkedAt) >= 30 * DAY_MS,
  );
  return happenedTo(world, launch, due)
    .filter(({ ref: personRef, position, company, employers }) =>
      isReported(world, launch, { personRef, position, company, employers }),
    )
    .map(({ finding }) => finding);
}

const ago = (...hours: readonly number[]) =>
  one(...hours).map((hoursAgo) => iso(new Date(Date.parse(NOW) - hoursAgo * 3_600_000).toISOString()));
const champions: fc.Arbitrary<readonly NaiveChampion[]> = fc.uniqueArray(
  fc.record({
    memberId: fc.integer({ min: 1, max: 12 }),
    personRef: one('p:ana', 'p:bo', 'p:cy', 'p:di', 'p:ed', 'p:nobody'),
    addedAt: ago(0, 1, 72, 73, 24 * 30, 24 * 92, 24 * 93, 24 * 300),
    baselineCompany: fc.option(
      one(
        { name: 'Acme', domain: null },
        { name: 'Initech', domain: null },
        { name: null, domain: 'acme.example' },
        { name: 'globex', domain: 'globex.example' },
        { name: 'Initech', domain: 'acme.example' },
      ),
    ),
    checkedAt: fc.option(ago(1, 24 * 30 - 1, 24 * 30, 24 * 31)),
  }),
  { minLength: 2, maxLength: 6, selector: ({ memberId }) => memberId },
);

const everybody = ['a', 'bb', 'ccc', 'dddd'];
const moved = everybody.map((handle) => `move:p:${handle}:2`);

export const championProofs: readonly DetectorProof[] = [
  {
    kind: 'champion_job_change',
    random: {
      rules: 'D-26 D-50 D-51 D-53 champions of setups',
      network: careers,
      launch: launchOf({
        audiences: fc.constant(['list_members']),
        champions,
        parameters: fc.record({
          moves: maybe(one([], ['departure'], ['new_company', 'promotion'])),
        }),
      }),
      reference: ofSetups,
      atLeast: 60,
    },
    killed: {
      title: 'of four changes one is at a covered account',
      observations: CAREERS,
      launch: { signalTypes: ['championJobChange'], audiences: ['list_members'], parameters: {} },
      list: { type: 'champion', handles: everybody },
      covered: ['c:initech'],
      finds: [moved],
      pays: 3,
    },
  },
  {
    kind: 'champion_tracking',
    random: {
      rules: 'D-50 D-51 D-52 D-61 champions of agents',
      network: careers,
      launch: launchOf({
        audiences: fc.constant(['list_members']),
        covered: fc.constant([]),
        customers: fc.subarray(['c:acme', 'c:globex']),
        champions,
        parameters: someOf(narrowed),
      }),
      reference: ofAgents,
      atLeast: 30,
    },
    killed: {
      title: 'four changes, of members who are checked by it',
      observations: CAREERS,
      launch: { signalTypes: ['championJobChange'], audiences: ['list_members'], parameters: {} },
      list: { type: 'champion', handles: [...everybody, 'nobody'] },
      finds: [moved],
      pays: 4,
      checks: 4,
    },
  },
];
