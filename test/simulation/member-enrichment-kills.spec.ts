import { addInPieces } from '#lists/add-members.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { createEmployeeList, list } from '#lists/domain/lists/list.js';
import { enrichMembers } from '#lists/enrich-members.process.js';
import { lateAnswers } from '#lists/late-answers.js';
import { listMembers } from '#projections/lists/list-members/list-members.projection.js';
import {
  memberEnrichmentWork,
  type MemberEnrichmentWorkDocument,
} from '#projections/lists/member-enrichment-work/member-enrichment-work.projection.js';
import { killedAt } from '../support/killed-points.js';
import { untilDeath } from '../support/mortal.js';
import { observedPerson } from '../support/observed-network.js';
import { sharedHouse } from '../support/signal-house.js';
import { systemContext } from '../support/system-context.js';
import { eventsOf } from '../support/event-stores.js';

const NEVER = new AbortController().signal;
const KNOWN = ['ana', 'bo', 'cy'];
const raise = (error: unknown): never => {
  throw error;
};

describe('looking up profiles, killed at every point', () => {
  const house = sharedHouse((opened) => opened.ingest(KNOWN.map((name) => observedPerson(name))));

  /** A list of people who were just added, and its pending work. */
  async function people(): Promise<MemberEnrichmentWorkDocument> {
    const { operator } = house;
    const workspaceId = await house.workspace({ mode: 'exempt' }, 0);
    const listId = await operator.ids.next('list');
    const now = house.now().toISOString();
    const create = createEmployeeList({ listId, now });
    await house.decide(workspaceId, list, workspaceScoped(workspaceId, listId), create);
    const context = systemContext(workspaceId, `add-${listId}`);
    const about = { workspaceId, kind: 'profile', listId, source: 'api', context } as const;
    const candidates = [...KNOWN, 'missing-dora', 'nobody'].map((handle) => ({
      handle,
      networkUrl: null,
      domains: [],
      name: null,
      logoUrl: null,
    }));
    await addInPieces(operator, about, candidates);
    await house.caughtUp();
    const works = await house.reads.find(memberEnrichmentWork, {});
    const work = works.find((candidate) => candidate.listId === listId);
    if (work === undefined) throw new Error('nothing is to do');
    return work;
  }

  /** Works until it is done or dies. */
  const workUntil = (work: MemberEnrichmentWorkDocument, fatalPoint: number) =>
    untilDeath(fatalPoint, (life) => enrichMembers.act(house.worker(life), work, NEVER));

  const typesIn = async ({ workspaceId, listId }: MemberEnrichmentWorkDocument): Promise<readonly string[]> =>
    (await eventsOf(house.events, `list-${workspaceScoped(workspaceId, listId)}`)).map(({ type }) => type);

  async function expectLookedUpOnce(work: MemberEnrichmentWorkDocument): Promise<void> {
    await house.caughtUp();
    const { workspaceId, listId } = work;
    const found = await house.reads.find(listMembers, {
      where: { workspaceId, listId },
      sort: [['id', 'asc']],
    });
    expect(found.map(({ first_name, enrichment_status }) => [first_name, enrichment_status])).toEqual([
      ...KNOWN.map((name) => [name, 'completed']),
      [null, 'failed'],
      [null, 'pending'],
    ]);
    expect(await typesIn(work)).toEqual([
      'ListCreated',
      'MembersAdded',
      'MemberEnrichmentStarted',
      'MembersEnriched',
    ]);
    const left = await house.reads.find(memberEnrichmentWork, {});
    expect(left.filter((other) => other.listId === listId)).toEqual([]);
  }

  it('ends the same, each event once, wherever and however often the worker died', async () => {
    await killedAt({
      morePointsThan: 4,
      alwaysDies: true,
      begin: people,
      workUntil,
      async finish(work, { fatalPoint }) {
        await workUntil(work, fatalPoint);
        expect((await workUntil(work, Infinity)).died).toBe(false);
        // Once more, with the work as it was first read.
        expect((await workUntil(work, Infinity)).died).toBe(false);
      },
      check: expectLookedUpOnce,
    });
  });

  it('is done by one of two workers, each event once', async () => {
    const work = await people();
    await Promise.all(
      [house.worker(), house.worker()].map((worker) => enrichMembers.act(worker, work, NEVER)),
    );
    await expectLookedUpOnce(work);
  });

  // The last one, because it adds an observation of a person who is unknown in the others.
  it('is done again when the network has learned more: by two workers and after a stop, recorded once', async () => {
    const work = await people();
    await workUntil(work, Infinity);
    await house.caughtUp();
    const late = () => lateAnswers(house.worker(), raise);
    /** The number of answers that a worker has found after it has caught up. */
    const foundBy = async (worker: ReturnType<typeof late>): Promise<number> => {
      await worker.catchUp();
      return worker.found();
    };
    expect(await foundBy(late())).toBe(0);
    const known = late();
    expect(await foundBy(known)).toBe(0);
    await house.ingest([observedPerson('nobody')]);
    const answered = await Promise.all([known, late()].map(foundBy));
    expect(Math.max(...answered)).toBeGreaterThan(0);
    // read models are behind: a worker that starts now still finds them missed
    await late().catchUp();
    await house.caughtUp();
    expect(await foundBy(late())).toBe(0);
    const { workspaceId, listId } = work;
    expect((await typesIn(work)).filter((type) => type === 'MembersEnriched')).toHaveLength(2);
    const [found] = await house.reads.find(listMembers, {
      where: { workspaceId, listId },
      sort: [['id', 'desc']],
      limit: 1,
    });
    expect([found?.first_name, found?.enrichment_status]).toEqual(['nobody', 'completed']);
  });
});
