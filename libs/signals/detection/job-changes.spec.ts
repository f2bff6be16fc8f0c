import type { JsonObject } from '#kernel/values/json.js';
import type { ObservedMove } from '#network/network-source.port.js';
import { contactDepartureDetector } from './contact-departure.detector.js';
import type { Detector } from './detector.js';
import { newExecutiveDetector } from './new-executive.detector.js';
import { newHireDetector } from './new-hire.detector.js';
import { promotionDetector } from './promotion.detector.js';
import { globex, sampleMove, samplePosition } from './testing/sample-move.js';
import { samplePersona, sampleRun, type SampleRun } from './testing/sample-run.js';

const SALES_IN_FRANCE = samplePersona({ excludeJobTitles: ['assistant'] });

/** The findings of a detector for these moves, with the query that it made. */
async function search(
  detector: Detector,
  parameters: JsonObject,
  moves: readonly ObservedMove[],
  run: SampleRun = {},
) {
  const asked: object[] = [];
  const page = await detector.find(
    sampleRun({
      parameters,
      persona: SALES_IN_FRANCE,
      ...run,
      source: {
        moves: async (question) => {
          asked.push(question);
          return { items: moves, next: null };
        },
      },
    }),
    null,
    50,
  );
  return { matches: page.matches, asked };
}

const finding =
  (detector: Detector, run: SampleRun = {}) =>
  async (parameters: JsonObject, ...moves: readonly ObservedMove[]): Promise<readonly string[]> =>
    (await search(detector, parameters, moves, run)).matches.map(({ subject, priority }) =>
      priority === 1 ? subject : `${subject} of priority 2`,
    );

describe('new hires', () => {
  const found = finding(newHireDetector);

  it('are people who start at another company, each move once under its person and revision', async () => {
    expect(
      await found(
        {},
        sampleMove({ ref: 'p:a' }),
        sampleMove({ ref: 'p:b', change: 'promotion' }),
        sampleMove({ ref: 'p:c', change: 'departure' }),
        sampleMove({ ref: 'p:d', from: null }),
      ),
    ).toEqual(['move:p:a:2', 'move:p:d:2']);
  });

  it('OP-42 show the profile, the old position and the new one', async () => {
    const { matches } = await search(newHireDetector, {}, [
      sampleMove({ ref: 'p:ana', person: { headline: 'VP Sales at Acme' } }),
    ]);
    expect(matches).toMatchObject([
      {
        signalType: 'newJob',
        signalDate: '2026-01-03T09:00:00.000Z',
        sourceUrl: null,
        excerpt: null,
        contents: [],
        company: { identity: 'handle:acme' },
        lead: { identity: 'handle:ana' },
        data: {
          profile: {
            full_name: 'ana',
            headline: 'VP Sales at Acme',
            network_url: 'https://www.network.example/in/ana',
          },
          change: 'new_company',
          previous: {
            title: 'Head of Sales',
            company_name: 'Globex',
            company_network_url: 'https://www.network.example/company/globex',
            end_date: '2026-01',
          },
          current: {
            title: 'VP Sales',
            company_name: 'Acme',
            company_network_url: 'https://www.network.example/company/acme',
            start_date: '2026-01',
          },
        },
        author: {
          full_name: 'ana',
          headline: 'VP Sales at Acme',
          network_url: 'https://www.network.example/in/ana',
        },
        details: {
          action_date: '2026-01-03T09:00:00.000Z',
          new_role: 'VP Sales',
          new_company: 'Acme',
          previous_role: 'Head of Sales',
          previous_company: 'Globex',
        },
      },
    ]);
  });

  it('D-18 match the persona: its titles, none of its excluded ones, its places', async () => {
    expect(
      await found(
        {},
        sampleMove({ ref: 'p:other', title: 'Driver' }),
        sampleMove({ ref: 'p:excluded', title: 'Sales assistant' }),
        sampleMove({ ref: 'p:untitled', title: null }),
        sampleMove({
          ref: 'p:japan',
          person: { geo: { city: null, region: null, country: 'Japan', countryCode: null } },
        }),
        sampleMove({ ref: 'p:nowhere', person: { geo: null } }),
      ),
    ).toEqual([]);
    expect(await finding(newHireDetector, { persona: null })({}, sampleMove({ ref: 'p:a' }))).toEqual([]);
  });

  it('D-60 titles of the setup replace those of the persona, also in the priority; an empty list does not', async () => {
    const [driver, seller] = [sampleMove({ ref: 'p:a', title: 'Driver' }), sampleMove({ ref: 'p:b' })];
    expect(await found({ job_titles: ['driver'] }, driver, seller)).toEqual(['move:p:a:2']);
    expect(await found({ job_titles: [] }, driver, seller)).toEqual(['move:p:b:2']);
    const assistant = sampleMove({ ref: 'p:c', title: 'Driver assistant' });
    expect(await found({ job_titles: ['driver'] }, assistant)).toEqual([]);
  });

  it('D-60 locations of the setup replace those of the persona if the setup says so', async () => {
    const inJapan = sampleMove({
      ref: 'p:a',
      person: { geo: { city: 'Tokyo', region: null, country: null, countryCode: 'JP' } },
    });
    const [own, locations] = [true, ['Tokyo, Japan']];
    expect(await found({ use_other_locations: own, locations }, inJapan, sampleMove({ ref: 'p:b' }))).toEqual(
      ['move:p:a:2'],
    );
    expect(await found({ use_other_locations: false, locations }, inJapan)).toEqual([]);
  });

  it('D-28 skip a position that is no longer the current one, and keep one that is only spelled differently', async () => {
    const now = (facts: object) => ({ rev: 3, current: samplePosition(facts) });
    expect(
      await found(
        {},
        sampleMove({ ref: 'p:gone', person: { rev: 3, current: null } }),
        sampleMove({ ref: 'p:elsewhere', person: now({ companyRef: 'c:globex' }) }),
        sampleMove({ ref: 'p:retitled', person: now({ title: 'SVP Sales' }) }),
        sampleMove({ ref: 'p:named', to: { companyRef: null }, person: now({ companyName: 'Initech' }) }),
        sampleMove({ ref: 'p:same', title: 'VP Sales', person: now({ title: 'VP, sales' }) }),
        sampleMove({ ref: 'p:vague', to: { companyRef: null, companyName: null }, person: now({}) }),
      ),
    ).toEqual(['move:p:same:2', 'move:p:vague:2']);
  });

  it('D-28 compare a company known only by name with the name of the current one', async () => {
    const moves = ['p:a', 'p:b'].map((ref) =>
      sampleMove({
        ref,
        to: { companyRef: null, companyName: ref === 'p:a' ? 'Globex' : 'Initech' },
        person: { rev: 3, current: samplePosition({ companyRef: 'c:globex', companyName: null }) },
      }),
    );
    const directory = { companies: async () => new Map([['c:globex', globex]]) };
    expect(await finding(newHireDetector, { directory })({}, ...moves)).toEqual(['move:p:a:2']);
  });

  it('D-28 skip a start of more than 365 days before it was observed, by the last possible day of its date', async () => {
    const seen = '2026-01-03T09:00:00.000Z';
    const starts = ['2024', '2025', '2024-12', '2025-01', '2025-01-02', '2025-01-03', '2024-12-31', null];
    const moves = starts.map((startDate) =>
      sampleMove({ ref: `p:${startDate ?? 'unknown'}`, observedAt: seen, to: { startDate } }),
    );
    expect(await found({}, ...moves)).toEqual(
      ['2025', '2025-01', '2025-01-03', 'unknown'].map((start) => `move:p:${start}:2`),
    );
  });

  it('D-30 are read only for covered accounts in a pass, and for everybody in a launch by hand', async () => {
    const watched = { accounts: async () => ['c:acme'], covered: async () => new Set(['c:acme']) };
    const pass = await search(newHireDetector, {}, [sampleMove({ ref: 'p:a' })], { watched });
    expect(pass.asked).toMatchObject([{ of: { toCompanyRefs: ['c:acme'] } }]);
    expect(pass.matches).toMatchObject([{ priced: false, priority: 1 }]);
    const byHand = await search(newHireDetector, {}, [sampleMove({ ref: 'p:a' })]);
    expect(byHand.asked).toEqual([expect.not.objectContaining({ of: expect.anything() })]);
    expect(byHand.matches).toMatchObject([{ priced: true, priority: 1 }]);
  });
});

describe('promotions', () => {
  const found = finding(promotionDetector);
  const promoted = (ref: string, facts: object = {}) => sampleMove({ ref, change: 'promotion', ...facts });

  it('are promotions of people who match the persona, about the company where they stay', async () => {
    const { matches } = await search(promotionDetector, {}, [
      promoted('p:a'),
      sampleMove({ ref: 'p:b' }),
      promoted('p:c', { title: 'Driver' }),
    ]);
    expect(matches).toMatchObject([
      {
        subject: 'move:p:a:2',
        signalType: 'recentlyPromoted',
        company: { identity: 'handle:acme' },
        data: { change: 'promotion', previous: { company_name: 'Acme' }, current: { title: 'VP Sales' } },
      },
    ]);
  });

  it('D-60 match the titles of the setup, if it names some', async () => {
    const driver = promoted('p:a', { title: 'Driver' });
    expect(await found({ job_titles: ['driver'] }, driver, promoted('p:b'))).toEqual(['move:p:a:2']);
  });

  it('D-23 match one of the seniorities, in any spelling; an unknown one matches none', async () => {
    const moves = ['C-Suite', 'vp', null].map((seniority) =>
      promoted(`p:${seniority ?? 'unknown'}`, { to: { seniority } }),
    );
    expect(await found({ seniority: ['c_suite'] }, ...moves)).toEqual(['move:p:C-Suite:2']);
    expect(await found({ seniority: [] }, ...moves)).toHaveLength(3);
  });
});

describe('new executives', () => {
  const found = finding(newExecutiveDetector);
  const vp = { to: { seniority: 'VP', department: 'Sales' } };

  it('are people who start as an executive, and those promoted to one who were none before', async () => {
    const promoted = (ref: string, before: string | null) =>
      sampleMove({ ref, change: 'promotion', from: { seniority: before }, ...vp });
    expect(
      await found(
        { seniority: ['vp', 'c_suite'] },
        sampleMove({ ref: 'p:hired', from: { seniority: 'c_suite' }, ...vp }),
        sampleMove({ ref: 'p:low', to: { seniority: 'head' } }),
        sampleMove({ ref: 'p:unknown' }),
        promoted('p:risen', 'head'),
        promoted('p:unknown-before', null),
        promoted('p:was-one', 'C Suite'),
      ),
    ).toEqual(['move:p:hired:2', 'move:p:risen:2', 'move:p:unknown-before:2']);
  });

  it('are of the named departments, or of any if none is named', async () => {
    const moves = [sampleMove({ ref: 'p:a', ...vp }), sampleMove({ ref: 'p:b', to: { seniority: 'vp' } })];
    expect(await found({ seniority: ['vp'], departments: ['SALES'] }, ...moves)).toEqual(['move:p:a:2']);
    expect(await found({ seniority: ['vp'], departments: [] }, ...moves)).toHaveLength(2);
  });

  it('D-09 are ranked by the persona and not filtered by it', async () => {
    const driver = sampleMove({ ref: 'p:a', title: 'Driver', ...vp });
    expect(await found({ seniority: ['vp'] }, driver)).toEqual(['move:p:a:2 of priority 2']);
    const watched = { covered: async () => new Set(['c:acme']) };
    expect(await finding(newExecutiveDetector, { watched })({ seniority: ['vp'] }, driver)).toEqual([
      'move:p:a:2',
    ]);
  });
});

describe('departures of contacts', () => {
  const watched = {
    members: async () => ({ companyRefs: ['c:globex', 'c:initech'], personRefs: [] }),
    accounts: async () => ['c:globex', 'c:acme'],
    covered: async () => new Set(['c:globex', 'c:acme']),
  };
  const found = finding(contactDepartureDetector, { watched });

  it('are searched at listed and covered companies, in new jobs and departures, not in promotions', async () => {
    const { asked, matches } = await search(
      contactDepartureDetector,
      {},
      [
        sampleMove({ ref: 'p:a' }),
        sampleMove({ ref: 'p:b', change: 'departure' }),
        sampleMove({ ref: 'p:c', change: 'promotion' }),
      ],
      { watched },
    );
    expect(asked).toMatchObject([{ of: { fromCompanyRefs: ['c:globex'] } }]);
    expect(matches).toMatchObject([
      {
        signalType: 'newJob',
        company: { identity: 'handle:globex' },
        data: { change: 'new_company', current: { company_name: 'Acme' } },
        priced: false,
        priority: 1,
      },
      {
        signalType: 'newJob',
        company: { identity: 'handle:globex' },
        data: { change: 'departure', previous: { company_name: 'Globex' }, current: null },
        details: { previous_role: 'Head of Sales', previous_company: 'Globex' },
        priced: false,
        priority: 1,
      },
    ]);
  });

  it('D-28 do not check whether the new position is still held, but skip old entries', async () => {
    expect(
      await found(
        {},
        sampleMove({ ref: 'p:a', person: { rev: 3, current: null } }),
        sampleMove({ ref: 'p:b', to: { startDate: '2020' } }),
      ),
    ).toEqual(['move:p:a:2']);
  });

  it('are of people whose old title contains a wanted one, of everybody if none is named', async () => {
    const moves = [sampleMove({ ref: 'p:a' }), sampleMove({ ref: 'p:b', from: { title: null } })];
    expect(await found({ job_titles: ['head of sales'] }, ...moves)).toEqual(['move:p:a:2']);
    expect(await found({ job_titles: ['vp sales'] }, ...moves)).toEqual([]);
    expect(await found({ job_titles: [] }, ...moves)).toHaveLength(2);
  });

  it('D-32 are of covered accounts even if a launch is only about the list', async () => {
    const { asked } = await search(contactDepartureDetector, {}, [], {
      watched: { ...watched, accounts: async () => null, covered: async () => new Set(['c:initech']) },
    });
    expect(asked).toMatchObject([{ of: { fromCompanyRefs: ['c:initech'] } }]);
  });

  it('are none without a list', async () => {
    expect(await finding(contactDepartureDetector)({}, sampleMove({ ref: 'p:a' }))).toEqual([]);
  });
});

it('D-34 show a company that was never observed by its name alone', async () => {
  const { matches } = await search(newHireDetector, {}, [
    {
      ...sampleMove({ ref: 'p:a', to: { companyRef: 'c:x', companyName: 'Initech' } }),
      currentCompany: null,
    },
  ]);
  expect(matches).toMatchObject([
    { company: null, data: { current: { company_name: 'Initech', company_network_url: null } } },
  ]);
});
