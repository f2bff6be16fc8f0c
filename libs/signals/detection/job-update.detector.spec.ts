import type { JsonObject } from '#kernel/values/json.js';
import { keywordMatcher } from '#network/keyword-matching.js';
import type { ObservedMove, PostSearch } from '#network/network-source.port.js';
import { jobUpdateDetector } from './job-update.detector.js';
import { acme, sampleMove } from './testing/sample-move.js';
import { sampleRun, type SampleRun } from './testing/sample-run.js';
import { samplePost } from './testing/sample-texts.js';

/** The people in the findings for these moves, all of them to Acme, which is a top account. */
async function found(
  parameters: JsonObject,
  moves: readonly ObservedMove[],
  run: SampleRun = {},
): Promise<readonly string[]> {
  const all = sampleRun({
    parameters,
    ...run,
    watched: { accounts: async () => ['c:acme'], ...run.watched },
    source: { moves: async () => ({ items: moves, next: null }), ...run.source },
  });
  const { matches } = await jobUpdateDetector.find(all, null, 50);
  return matches.map(({ subject }) => /p:\w+/.exec(subject)?.[0] ?? '');
}

describe('job updates', () => {
  it('D-61 are new jobs and promotions at found top accounts, all of them free', async () => {
    const asked: object[] = [];
    const page = await jobUpdateDetector.find(
      sampleRun({
        watched: { accounts: async () => ['c:acme'] },
        source: {
          moves: async (question) => {
            asked.push(question);
            return {
              items: [
                sampleMove({ ref: 'p:a' }),
                sampleMove({ ref: 'p:b', change: 'promotion' }),
                sampleMove({ ref: 'p:c', change: 'departure' }),
              ],
              next: null,
            };
          },
        },
      }),
      null,
      50,
    );
    expect(asked).toMatchObject([{ of: { toCompanyRefs: ['c:acme'] } }]);
    expect(page.matches).toMatchObject([
      { subject: 'move:p:a:2', signalType: 'newJob', priority: 1 },
      { subject: 'move:p:b:2', signalType: 'recentlyPromoted', priority: 1 },
    ]);
  });

  it('OP-71 are not narrowed by absent or empty parameters', async () => {
    const nothing = {
      job_titles: [],
      target_persona: [],
      seniority_levels: [],
      company_domains_to_scrape: [],
      target_persona_locations: [],
      keywords_for_social_detection: [],
      author_roles: [],
      author_industries: [],
      target_network_profiles: [],
      interested_by: {},
    };
    const move = sampleMove({ ref: 'p:a', title: null, person: { geo: null } });
    expect(await found({}, [move])).toHaveLength(1);
    expect(await found(nothing, [move])).toHaveLength(1);
  });

  it('D-61 job_titles and target_persona both apply to the new title, and both must match', async () => {
    const moves = ['VP Sales', 'Head of Sales', 'VP Finance', null].map((title, index) =>
      sampleMove({ ref: `p:${index}`, title }),
    );
    expect(await found({ job_titles: ['sales'] }, moves)).toEqual(['p:0', 'p:1']);
    expect(await found({ target_persona: ['vp'] }, moves)).toEqual(['p:0', 'p:2']);
    expect(await found({ job_titles: ['sales'], target_persona: ['vp'] }, moves)).toEqual(['p:0']);
  });

  it('D-61 seniority_levels take any text, folded', async () => {
    const moves = ['Team Lead', 'VP', null].map((seniority, index) =>
      sampleMove({ ref: `p:${index}`, to: { seniority } }),
    );
    expect(await found({ seniority_levels: ['team-lead', 'vp '] }, moves)).toEqual(['p:0', 'p:1']);
  });

  it('D-61 company_domains_to_scrape are domains of the new employer; an entry that is no domain matches nothing', async () => {
    const move = sampleMove({ ref: 'p:a' });
    expect(await found({ company_domains_to_scrape: ['https://www.ACME.com/jobs'] }, [move])).toHaveLength(1);
    expect(await found({ company_domains_to_scrape: ['globex.com'] }, [move])).toEqual([]);
    expect(await found({ company_domains_to_scrape: ['no domain', ''] }, [move])).toEqual([]);
  });

  it('D-22 target_persona_locations are the place of the person', async () => {
    const moves = [sampleMove({ ref: 'p:a' }), sampleMove({ ref: 'p:b', person: { geo: null } })];
    expect(await found({ target_persona_locations: ['Japan', 'FRANCE'] }, moves)).toEqual(['p:a']);
    expect(await found({ target_persona_locations: ['Japan'] }, moves)).toEqual([]);
  });

  it('D-61 interested_by narrows only if exactly one of the two is true', async () => {
    const customer = sampleMove({ ref: 'p:a' });
    const other = sampleMove({ ref: 'p:b', currentCompany: { ...acme, ref: 'c:initech' } });
    const run = { watched: { onCustomerLists: async () => new Set(['c:acme']) } };
    const interested = (interested_by: JsonObject) => found({ interested_by }, [customer, other], run);
    expect(await interested({ customers: true })).toEqual(['p:a']);
    expect(await interested({ customers: true, prospects: false })).toEqual(['p:a']);
    expect(await interested({ prospects: true })).toEqual(['p:b']);
    expect(await interested({ customers: true, prospects: true })).toEqual(['p:a', 'p:b']);
    expect(await interested({ customers: false, prospects: false })).toEqual(['p:a', 'p:b']);
  });

  it('D-61 author_roles are in title or headline, author_industries in the industry of the new employer', async () => {
    const moves = [
      sampleMove({ ref: 'p:a', title: 'Driver', person: { headline: 'Once VP Sales' } }),
      sampleMove({ ref: 'p:b', title: 'VP Sales' }),
      sampleMove({ ref: 'p:c', title: 'Driver', currentCompany: { ...acme, industry: 'Computer Software' } }),
    ];
    expect(await found({ author_roles: ['vp sales'] }, moves)).toEqual(['p:a', 'p:b']);
    expect(await found({ author_industries: ['software'] }, moves)).toEqual(['p:c']);
  });

  it('D-61 OP-10 target_network_profiles are pages or handles of people; any other entry matches no one', async () => {
    const moves = ['p:ana', 'p:bo', 'p:cy'].map((ref) => sampleMove({ ref }));
    const profiles = [
      'https://www.network.example/in/ANA/',
      '@bo',
      'https://www.network.example/company/cy',
      '',
    ];
    expect(await found({ target_network_profiles: profiles }, moves)).toEqual(['p:ana', 'p:bo']);
  });

  it('D-61 keywords_for_social_detection are in headline or about, or in a post of the person in the window', async () => {
    const posts = [
      ['p:post', 'We love CRM'],
      ['p:other', 'Weather'],
      ['p:post', 'More CRM'],
    ].map(([authorRef = '', text = ''], index) =>
      samplePost({ ref: `post:${index}`, position: String(index), text, authorRef }),
    );
    const asked: PostSearch[] = [];
    const source = {
      posts: async (search: PostSearch) => {
        asked.push(search);
        const { keywords = [], whose, position = null } = search;
        const find = keywordMatcher(keywords);
        const [first, ...others] = posts
          .slice(position === null ? 0 : Number(position) + 1)
          .filter(
            ({ authorRef, text }) => whose?.personRefs.includes(authorRef ?? '') && find(text).length > 0,
          );
        return {
          items: first === undefined ? [] : [first],
          next: others.length > 0 ? (first?.position ?? null) : null,
        };
      },
    };
    const moves = [
      sampleMove({ ref: 'p:headline', person: { headline: 'CRM expert' } }),
      sampleMove({ ref: 'p:about', person: { about: 'I know every crm.' } }),
      sampleMove({ ref: 'p:post' }),
      sampleMove({ ref: 'p:other' }),
    ];
    expect(await found({ keywords_for_social_detection: ['crm'] }, moves, { source })).toEqual([
      'p:headline',
      'p:about',
      'p:post',
    ]);
    expect(asked[0]?.whose).toEqual({ companyRefs: [], personRefs: ['p:post', 'p:other'] });
    expect(asked[0]?.until).toEqual(new Date('2026-01-05T10:00:00.000Z'));
  });
});
