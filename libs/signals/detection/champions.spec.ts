import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { MoveSearch, ObservedMove } from '#network/network-source.port.js';
import { pointAt, positionOf } from '#network/position.js';
import { championJobChangeDetector } from './champion-job-change.detector.js';
import { championTrackingDetector } from './champion-tracking.detector.js';
import type { Detector } from './detector.js';
import type { Match } from './matches.js';
import { acme, globex, sampleMove, samplePosition, type SampleMove } from './testing/sample-move.js';
import { sampleCompany, samplePerson, sampleRun, type SampleRun } from './testing/sample-run.js';
import type { ListedPerson } from './watched.js';

const ADDED_AT = '2025-12-01T12:00:00.000Z';
const NOW = '2026-01-05T10:00:00.000Z';

const champion = (personRef: string, facts: Partial<ListedPerson> = {}): ListedPerson => ({
  personRef,
  memberId: Number(personRef.replace(/\D/g, '')) || 1,
  addedAt: ADDED_AT,
  baselineCompany: null,
  ...facts,
});

/** A network with these moves and people, with Acme, Globex and other named companies. */
type Network = {
  readonly moves?: readonly (SampleMove & { readonly rev?: number })[];
  readonly people?: readonly PersonFacts[];
  readonly companies?: readonly CompanyFacts[];
};

function networkOf({
  moves = [],
  people = [],
  companies = [],
}: Network): Pick<SampleRun, 'source' | 'directory'> {
  const known = [acme, globex, ...companies];
  const seen = moves
    .map(({ rev = 2, ...move }): ObservedMove => {
      const sampled = sampleMove(move);
      const at = Date.parse(sampled.observedAt);
      return { ...sampled, rev, position: positionOf({ at, ref: sampled.personRef, tie: rev }) };
    })
    .toSorted((one, other) => (one.observedAt < other.observedAt ? -1 : 1));
  return {
    source: {
      moves: async ({ position = null, after, until, limit }: MoveSearch) => {
        const behind = seen.filter(({ observedAt, personRef }) => {
          const [at, from] = [Date.parse(observedAt), position === null ? null : pointAt(position)];
          if (at <= after.getTime() || at > until.getTime()) return false;
          return from === null || at > from.at || (at === from.at && personRef > from.ref);
        });
        const items = behind.slice(0, limit);
        return { items, next: behind.length > limit ? (items.at(-1)?.position ?? null) : null };
      },
    },
    directory: {
      people: async (refs) =>
        new Map(people.filter(({ ref }) => refs.includes(ref)).map((one) => [one.ref, one])),
      companies: async (refs) =>
        new Map(known.filter(({ ref }) => refs.includes(ref)).map((one) => [one.ref, one])),
      resolveCompanies: async (identifiers) =>
        identifiers.map((identifier) => {
          const facts = known.find(
            ({ domains }) => identifier.by === 'domain' && domains.includes(identifier.domain),
          );
          return facts === undefined ? { outcome: 'unknown' } : { outcome: 'found', facts };
        }),
    },
  };
}

/** The pages of a run with this many matches per page. */
async function pagesOf(
  detector: Detector,
  champions: readonly ListedPerson[],
  network: Network,
  { limit = 50, parameters = {}, ...run }: SampleRun & { readonly limit?: number } = {},
) {
  const matches: Match[] = [];
  const checked: number[] = [];
  for (let resume: JsonValue = null; ;) {
    const page = await detector.find(
      sampleRun({
        ...networkOf(network),
        parameters,
        known: async (subjects) =>
          new Set(subjects.filter((subject) => matches.some((match) => match.subject === subject))),
        ...run,
        watched: { people: async () => champions, ...run.watched },
      }),
      resume,
      limit,
    );
    matches.push(...page.matches);
    checked.push(...(page.checked ?? []));
    if (!page.more) return { matches, checked };
    resume = page.resume;
  }
}

const subjects = async (
  champions: readonly ListedPerson[],
  network: Network,
  parameters: JsonObject = {},
  run: SampleRun & { readonly limit?: number } = {},
): Promise<readonly string[]> =>
  (await pagesOf(championJobChangeDetector, champions, network, { ...run, parameters })).matches.map(
    ({ subject, data }) => `${String(data['change'])} ${subject}`,
  );

describe('champions', () => {
  it('D-50 are reported with every move since three days before they were added, also several of one person', async () => {
    const moves = [
      { ref: 'p:1', rev: 2, observedAt: '2025-11-28T11:59:59.999Z' },
      { ref: 'p:1', rev: 3, observedAt: '2025-11-28T12:00:00.000Z' },
      { ref: 'p:1', rev: 4, observedAt: '2025-12-24T12:00:00.000Z', change: 'departure' as const },
      { ref: 'p:2', rev: 5, observedAt: '2025-12-25T12:00:00.000Z', change: 'promotion' as const },
      { ref: 'p:2', rev: 6, observedAt: '2026-01-05T10:00:00.001Z' },
    ];
    expect(await subjects([champion('p:1'), champion('p:2')], { moves })).toEqual([
      'new_company move:p:1:3',
      'departure move:p:1:4',
      'promotion move:p:2:5',
    ]);
    const earlier = champion('p:1', { memberId: 9, addedAt: '2025-12-28T00:00:00.000Z' });
    expect(await subjects([earlier, champion('p:1')], { moves })).toHaveLength(2);
    expect(await subjects([earlier], { moves })).toEqual([]);
  });

  it('D-50 D-28 are reported even if they have moved on, or if an old entry was corrected', async () => {
    const moves = [{ ref: 'p:1', to: { startDate: '2010' }, person: { rev: 9, current: null } }];
    expect(await subjects([champion('p:1')], { moves })).toEqual(['new_company move:p:1:2']);
  });

  it('OP-42 are shown with the old and the new position; a departure is about the company that was left', async () => {
    const moves = [{ ref: 'p:1' }, { ref: 'p:2', change: 'departure' as const }];
    const { matches } = await pagesOf(championJobChangeDetector, [champion('p:1'), champion('p:2')], {
      moves,
    });
    expect(matches).toMatchObject([
      {
        signalType: 'championJobChange',
        company: { identity: 'handle:acme' },
        lead: { identity: 'handle:1' },
        data: {
          change: 'new_company',
          previous: { company_name: 'Globex' },
          current: { company_name: 'Acme' },
        },
        details: { new_company: 'Acme', previous_company: 'Globex' },
        priority: 1,
        priced: true,
      },
      {
        company: { identity: 'handle:globex' },
        data: { change: 'departure', previous: { company_name: 'Globex' }, current: null },
        details: { previous_company: 'Globex' },
      },
    ]);
  });

  it('D-53 are reported only for the moves that a setup names; inferred changes are of one of these kinds', async () => {
    const listed = [
      champion('p:1'),
      champion('p:2'),
      champion('p:3', { baselineCompany: { name: 'Globex', domain: null } }),
    ];
    const network = {
      moves: [{ ref: 'p:1' }, { ref: 'p:2', change: 'departure' as const }],
      people: [samplePerson({ ref: 'p:3', title: 'CTO', companyRef: 'c:acme' })],
    };
    expect(await subjects(listed, network, { moves: ['new_company'] })).toEqual([
      'new_company baseline:p:3:3',
      'new_company move:p:1:2',
    ]);
    expect(await subjects(listed, network, { moves: ['departure'] })).toEqual(['departure move:p:2:2']);
    expect(await subjects(listed, network, { moves: [] })).toHaveLength(3);
  });

  describe('D-51 with a given company', () => {
    const person = (facts: Partial<PersonFacts> = {}): PersonFacts => ({
      ...samplePerson({ ref: 'p:1', title: null, companyRef: null }),
      current: samplePosition(),
      experiences: [samplePosition()],
      observedAt: '2025-12-20T00:00:00.000Z',
      ...facts,
    });
    const given = async (
      baselineCompany: NonNullable<ListedPerson['baselineCompany']>,
      of: PersonFacts,
      network: Network = {},
    ) => {
      const listed = [champion('p:1', { baselineCompany })];
      return (await pagesOf(championJobChangeDetector, listed, { ...network, people: [of] })).matches;
    };
    const GLOBEX = { name: 'Globex', domain: 'globex.com' };
    const OF_GLOBEX = { name: null, domain: 'globex.com' };
    const INITECH = { name: 'Initech', domain: null };
    const jobless = { current: null, experiences: [] };

    it('are at it if its domain or its name is equal', async () => {
      expect(await given({ name: 'Wrong', domain: 'acme.com' }, person())).toEqual([]);
      expect(await given({ name: ' ACME', domain: 'wrong.com' }, person())).toEqual([]);
      expect(await given({ name: null, domain: 'acme.com' }, person())).toEqual([]);
    });

    it('SRC-07 name the reading that showed the person', async () => {
      const reading = { sourceId: '3', readAtMs: Date.parse('2025-12-21T00:00:00Z') };
      const found = await given(GLOBEX, person({ reading }));
      expect(found).toMatchObject([{ provenance: [{ sourceId: 3, readAt: '2025-12-21T00:00:00.000Z' }] }]);
      const [piped] = await given(GLOBEX, person());
      expect(piped).not.toHaveProperty('provenance');
    });

    it('MEM-19 is not compared by a blank text, and by a domain in any spelling', async () => {
      expect(await given({ name: null, domain: null }, person())).toEqual([]);
      expect(await given({ name: ' \u200b', domain: '' }, person())).toEqual([]);
      expect(await given({ name: '', domain: 'https://www.ACME.com/jobs' }, person())).toEqual([]);
    });

    it('D-11 are compared by the name of the observed company if the position gives a blank one', async () => {
      const position = samplePosition({ companyName: ' ' });
      const found = await given(INITECH, person({ current: position, experiences: [position] }));
      expect(found).toMatchObject([{ data: { current: { company_name: 'Acme' } } }]);
    });

    it('are elsewhere if every given member is known to differ, and unknown otherwise', async () => {
      const other = await given(GLOBEX, person());
      expect(other).toMatchObject([
        {
          subject: 'baseline:p:1:1',
          signalDate: '2025-12-20T00:00:00.000Z',
          company: { identity: 'handle:acme' },
          data: {
            change: 'new_company',
            previous: {
              title: null,
              company_name: 'Globex',
              company_network_url: 'https://www.network.example/company/globex',
              end_date: null,
            },
            current: { title: 'VP Sales', company_name: 'Acme', start_date: '2026-01' },
          },
        },
      ]);
      const nameless = samplePosition({ companyRef: null, companyName: null });
      expect(await given({ name: 'Globex', domain: null }, person({ current: nameless }))).toEqual([]);
      const byName = samplePosition({ companyRef: null });
      expect(await given(GLOBEX, person({ current: byName }))).toEqual([]);
      expect(await given({ name: 'Globex', domain: null }, person({ current: byName }))).toHaveLength(1);
      const silent = sampleCompany({ ref: 'c:silent' });
      const atSilent = samplePosition({ companyRef: 'c:silent', companyName: null });
      const network = { companies: [silent] };
      expect(await given(OF_GLOBEX, person({ current: atSilent }), network)).toEqual([]);
    });

    it('have left if the work history is known and has no open position, and not if nothing is known', async () => {
      const [left] = await given(INITECH, person(jobless));
      expect(left).toMatchObject({
        company: null,
        data: {
          change: 'departure',
          previous: { title: null, company_name: 'Initech', company_network_url: null, end_date: null },
          current: null,
        },
      });
      expect(await given(OF_GLOBEX, person(jobless))).toMatchObject([
        { company: { identity: 'handle:globex' }, data: { previous: { company_name: 'globex.com' } } },
      ]);
      expect(await given(INITECH, person({ current: null, experiences: null }))).toEqual([]);
    });

    it('left the last position there that has ended', async () => {
      const at = (facts: object) => samplePosition({ companyRef: 'c:globex', companyName: null, ...facts });
      const experiences = [
        samplePosition(),
        at({ title: 'Clerk', startDate: '2010', endDate: '2015' }),
        at({ title: 'Head of Sales', startDate: '2015', endDate: '2025-06' }),
        at({ title: 'Open', startDate: '2016', endDate: null }),
        samplePosition({ title: 'Elsewhere', companyRef: 'c:x', companyName: 'X', endDate: '2025-12' }),
      ];
      expect(await given(OF_GLOBEX, person({ experiences }))).toMatchObject([
        { data: { previous: { title: 'Head of Sales', company_name: 'Globex', end_date: '2025-06' } } },
      ]);
    });

    it('are compared as they were before their first counting move', async () => {
      const moves = [{ ref: 'p:1', observedAt: '2025-12-24T12:00:00.000Z' }];
      const seen = async (name: string) =>
        (await given({ name, domain: null }, person(), { moves })).map(({ subject, data }) => [
          subject,
          Object(data['current']).company_name,
        ]);
      expect(await seen('Globex')).toEqual([['move:p:1:2', 'Acme']]);
      expect(await seen('Acme')).toEqual([
        ['baseline:p:1:1', 'Globex'],
        ['move:p:1:2', 'Acme'],
      ]);
      const fromNowhere = [{ ref: 'p:1', observedAt: '2025-12-24T12:00:00.000Z', from: null }];
      const found = await given(INITECH, person(), { moves: fromNowhere });
      expect(found.map(({ data }) => data['change'])).toEqual(['departure', 'new_company']);
    });

    it('are dated at the time they were added if the profile is older or has no date, and never after now', async () => {
      const at = async (observedAt: string | null) =>
        (await given({ name: 'Globex', domain: null }, person({ observedAt }))).map(
          ({ signalDate }) => signalDate,
        );
      expect(await at(null)).toEqual([ADDED_AT]);
      expect(await at('2025-11-01T00:00:00.000Z')).toEqual([ADDED_AT]);
      expect(await at(NOW)).toEqual([NOW]);
      expect(await at('2026-01-05T10:00:00.001Z')).toEqual([]);
    });
  });

  it('D-05 come in order of date and person, inferred or observed, and the same on pages of any size', async () => {
    const baselineCompany = { name: 'Initech', domain: null };
    const listed = [1, 2, 3, 4, 5].map((id) => champion(`p:${id}`, id % 2 === 1 ? { baselineCompany } : {}));
    const network = {
      moves: listed.map(({ personRef }, index) => ({
        ref: personRef,
        observedAt: `2025-12-2${index}T00:00:00.000Z`,
      })),
      people: listed.map(({ personRef, memberId }) => ({
        ...samplePerson({ ref: personRef, title: 'CTO', companyRef: 'c:acme' }),
        observedAt: `2025-12-2${memberId}T00:00:00.000Z`,
      })),
    };
    const whole = await subjects(listed, network);
    expect(whole).toEqual([
      'new_company move:p:1:2',
      'new_company baseline:p:1:1',
      'new_company move:p:2:2',
      'new_company move:p:3:2',
      'new_company baseline:p:3:3',
      'new_company move:p:4:2',
      'new_company move:p:5:2',
      'new_company baseline:p:5:5',
    ]);
    for (const limit of [1, 2, 3, 5]) expect(await subjects(listed, network, {}, { limit })).toEqual(whole);
  });

  it('refuse an invalid position to resume from', async () => {
    await expect(
      championJobChangeDetector.find(
        sampleRun({ ...networkOf({}), watched: { people: async () => [champion('p:1')] } }),
        'elsewhere',
        50,
      ),
    ).rejects.toThrow('not a place');
  });
});

describe('champions of an agent', () => {
  const moves = [{ ref: 'p:1' }, { ref: 'p:2' }];
  const listed = [champion('p:1'), champion('p:2')];

  it('D-52 are skipped for thirty days after they were checked, and the others are checked', async () => {
    const asked: unknown[] = [];
    const { matches, checked } = await pagesOf(
      championTrackingDetector,
      listed,
      { moves },
      {
        checkedAfter: async (memberIds, moment) => {
          asked.push(memberIds, moment);
          return new Set([1]);
        },
      },
    );
    expect(asked.slice(0, 2)).toEqual([[1, 2], new Date('2025-12-06T10:00:00.000Z')]);
    expect(matches.map(({ subject }) => subject)).toEqual(['move:p:2:2']);
    expect(checked).toEqual([2]);
  });

  it('D-52 are not read if all of them are skipped', async () => {
    const checkedAfter = async () => new Set([1, 2]);
    expect(await pagesOf(championTrackingDetector, listed, { moves }, { checkedAfter })).toEqual({
      matches: [],
      checked: [],
    });
  });

  it('D-53 D-52 are checked once in a run with several pages, and never for a setup', async () => {
    expect((await pagesOf(championTrackingDetector, listed, { moves }, { limit: 1 })).checked).toEqual([
      1, 2,
    ]);
    expect((await pagesOf(championJobChangeDetector, listed, { moves })).checked).toEqual([]);
  });

  it('D-61 are narrowed by the new position, or for a departure by the old one; domains by either', async () => {
    const network = {
      moves: [
        { ref: 'p:1' },
        { ref: 'p:2', change: 'departure' as const },
        { ref: 'p:3', change: 'promotion' as const, person: { headline: 'Chief' } },
      ],
    };
    const three = [...listed, champion('p:3')];
    const people = async (parameters: JsonObject, run: SampleRun = {}) =>
      (await pagesOf(championTrackingDetector, three, network, { ...run, parameters })).matches.map(
        ({ subject }) => subject.slice(5, 8),
      );
    expect(await people({})).toEqual(['p:1', 'p:2', 'p:3']);
    expect(await people({ target_persona: ['head of sales'] })).toEqual(['p:2']);
    expect(await people({ target_persona: ['vp sales'] })).toEqual(['p:1', 'p:3']);
    expect(await people({ company_domains_to_scrape: ['globex.com'] })).toEqual(['p:1', 'p:2']);
    expect(await people({ author_roles: ['chief'] })).toEqual(['p:3']);
    const watched = { onCustomerLists: async () => new Set(['c:globex']) };
    expect(await people({ interested_by: { customers: true } }, { watched })).toEqual(['p:2']);
    expect(await people({ target_network_profiles: ['1', '@2'] })).toEqual(['p:1', 'p:2']);
  });
});
