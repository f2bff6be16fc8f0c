import fc from 'fast-check';
import type { JsonValue } from '#kernel/values/json.js';
import { detectorFor, detectors } from '#signals/detection/detectors.js';
import { sampleRun } from '#signals/detection/testing/sample-run.js';
import type { NetworkStore } from '#network/network-store.js';
import { expectNone } from '#test/house/expect-none.js';
import { onNetwork } from './on-network.js';
import { accountsOf } from './proofs/naive-words.js';
import { worldOf, type World } from './proofs/naive-world.js';
import { BAD_OBSERVATIONS } from './proofs/bad-observations.js';
import type { NaiveFinding, NaiveLaunch, Observed, RandomProof } from './proofs/proof.js';
import { proofs, provenElsewhere } from './proofs/proofs.js';
import { networkOf } from './proofs/random-network.js';

/** `PROOF_RUNS=10` tries ten times as many networks. */
const TIMES = Number(process.env['PROOF_RUNS'] ?? 1);

const onNetworkOf = <Result>(
  observations: readonly Observed[],
  work: (store: NetworkStore) => Promise<Result>,
): Promise<Result> =>
  onNetwork(observations, (store, rejected) => {
    // Of two contents under one number the first counts; nothing else is refused.
    expect(
      rejected.filter(({ message }) => !message.endsWith('was already observed with other content')),
    ).toEqual([]);
    return work(store);
  });

/** Every match of a launch, read in batches of this size, in the form that references use. */
async function foundBy(
  kind: string,
  { source, directory }: NetworkStore,
  { listed, topAccounts, covered, champions = [], customers = [], ...launch }: NaiveLaunch,
  pageSize: number,
) {
  const found: object[] = [];
  const known = new Set(launch.reported);
  const resolved = listed && {
    companyRefs: [...(await directory.companies(listed.companyRefs)).keys()],
    personRefs: [...(await directory.people(listed.personRefs)).keys()],
  };
  const met = await directory.people(champions.map(({ personRef }) => personRef));
  for (let resume: JsonValue = null; ;) {
    const page = await detectorFor(kind).find(
      sampleRun({
        ...launch,
        now: new Date(launch.now),
        source,
        directory,
        watched: {
          members: async () => resolved,
          topAccounts: async () => topAccounts,
          covered: async () => new Set(covered),
          accounts: async () => accountsOf({ ...launch, listed, topAccounts, covered }),
          people: async () => champions.filter(({ personRef }) => met.has(personRef)),
          onCustomerLists: async () => new Set(customers),
        },
        checkedAfter: async (memberIds, moment) =>
          new Set(
            champions
              .filter(({ memberId, checkedAt }) => {
                return memberIds.includes(memberId) && checkedAt !== null && checkedAt > moment.toISOString();
              })
              .map(({ memberId }) => memberId),
          ),
        known: async (subjects) => new Set(subjects.filter((subject) => known.has(subject))),
      }),
      resume,
      pageSize,
    );
    expect(page.matches.length).toBeLessThanOrEqual(pageSize);
    for (const { company, lead, ...match } of page.matches) {
      known.add(match.subject);
      found.push({
        ...match,
        company: company && company.identity.replace(/^handle:/, 'c:'),
        lead: lead && lead.identity.replace(/^handle:/, 'p:'),
      });
    }
    if (!page.more) return found;
    // The resume point between two batches is stored as JSON.
    resume = JSON.parse(JSON.stringify(page.resume));
  }
}

/** D-06: each subject that a reference names, once, without those that were reported before. */
function expectedOf({ reference }: RandomProof, world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const seen = new Set(launch.reported);
  return reference(world, launch).filter(({ subject }) => !seen.has(subject) && seen.add(subject));
}

type Asked = {
  readonly launch: NaiveLaunch;
  readonly pageSize: number;
  readonly reportedEach: number;
};
const rows = proofs.flatMap(({ kind, random }) => (random === undefined ? [] : [{ kind, ...random }]));

describe('the findings of a detector on random networks, in any order of observations', () => {
  it('have a reference for each detector', () => {
    const proven = [...rows.map(({ kind }) => kind), ...provenElsewhere.random];
    expectNone(
      detectors.map(({ kind }) => kind).filter((kind) => !proven.includes(kind)),
      'write a proof of these detectors in test/detection/proofs (docs/detection.md, "Tests of a detector")',
    );
  });

  it.each(rows)('D-06 D-25 D-27 $kind finds what its rules say: $rules', async ({ kind, ...proof }) => {
    let found = 0;
    const { network, launch, numRuns = 12, atLeast = 15 } = proof;
    const asking = fc.record({
      launch,
      pageSize: fc.integer({ min: 1, max: 4 }),
      /** The interval at which matches count as reported before. */
      reportedEach: fc.integer({ min: 2, max: 9 }),
    });
    const check = async (observedLines: readonly Observed[], asked: readonly Asked[]) => {
      const world = worldOf(observedLines);
      await onNetworkOf(observedLines, async (store) => {
        for (const { launch: first, pageSize, reportedEach } of asked) {
          const before = expectedOf(proof, world, first).filter(
            (_, index) => (index + 1) % reportedEach === 0,
          );
          const again = { ...first, reported: [...first.reported, ...before.map(({ subject }) => subject)] };
          const expected = expectedOf(proof, world, again);
          found += expected.length;
          expect(await foundBy(kind, store, again, pageSize)).toMatchObject(expected);
        }
      });
    };
    const launches = fc.array(asking, { minLength: 10, maxLength: 10 });
    await fc.assert(fc.asyncProperty(network, launches, check), {
      numRuns: numRuns * TIMES,
      seed: 12,
      includeErrorInReport: true,
      // Unbiased: small values first would give empty networks.
      unbiased: true,
      // No shrinking below a network that still has content.
      endOnFailure: true,
    });
    expect(found).toBeGreaterThanOrEqual(atLeast);
  });

  it('D-11 do not change when bad observations come before and after, except for findings about those', async () => {
    const everything = networkOf(
      {
        company: 4,
        person: 8,
        post: 8,
        comment: 8,
        reaction: 4,
        job_posting: 8,
        headcount: 12,
        company_event: 8,
      },
      { minLength: 200, maxLength: 220 },
    );
    const [observedLines = []] = fc.sample(everything, { seed: 7, numRuns: 1, unbiased: true });
    // Revisions that come too late: their number is known already, or older than the known one.
    const late = observedLines.map((observed) => ({ ...observed, rev: 1, text: 'CRM', title: 'CRM' }));
    let found = 0;
    const compare = async (plain: NetworkStore, disturbed: NetworkStore): Promise<void> => {
      for (const { kind, launch } of rows) {
        const launches = fc
          .sample(launch, { seed: 7, numRuns: 80, unbiased: true })
          // Bad observations count among the newest posts.
          .filter(({ parameters }) => parameters['max_posts_to_scrape'] === undefined);
        for (const asked of launches) {
          const expected = await foundBy(kind, plain, asked, 50);
          const own = await foundBy(kind, disturbed, asked, 50);
          found += expected.length;
          expect([kind, own.filter((match) => !/bad-/.test(JSON.stringify(match)))]).toEqual([
            kind,
            expected,
          ]);
        }
      }
    };
    const disturbing = [...BAD_OBSERVATIONS, ...observedLines, ...late];
    await onNetworkOf(observedLines, (plain) =>
      onNetworkOf(disturbing, (disturbed) => compare(plain, disturbed)),
    );
    expect(found).toBeGreaterThan(60);
  });
});
