import fc from 'fast-check';
import { inWindow, iso, type World } from './naive-world.js';
import { accountsOf, contains, isInCountry, shownPerson, texts, worth } from './naive-words.js';
import type { DetectorProof, NaiveFinding, NaiveLaunch, Observed } from './proof.js';
import { daysBefore, seenCompany, seenPerson } from './seen.js';
import { companies, launchOf, maybe, networkOf, one, people, persona } from './random-network.js';

/**
 * Whose posts count (2.1): everybody's, those of listed members, of accounts, or of listed members that are accounts.
 */
function isWatched(world: World, launch: NaiveLaunch, author: string): boolean {
  const accounts = accountsOf(launch);
  const employer = world.employer(author) ?? '';
  const { listed } = launch;
  // A listed member that was never observed has no candidates (D-14).
  const isListed =
    listed === null ||
    (listed.companyRefs.includes(author) && world.known('company', author) !== null) ||
    (listed.companyRefs.includes(employer) && world.known('company', employer) !== null) ||
    (listed.personRefs.includes(author) && world.known('person', author) !== null);
  return isListed && (accounts === null || accounts.includes(author) || accounts.includes(employer));
}

/** Detectors 2.1. */
function keywordPosts(world: World, launch: NaiveLaunch): readonly NaiveFinding[] {
  const { tracking_keywords, match_mode, start_date, filter_authors, author_roles, countries } =
    launch.parameters;
  const isEverybody = launch.listed === null && accountsOf(launch) === null;
  const wanted = [...new Set(texts(tracking_keywords))];
  const most = Number(launch.parameters['max_posts_to_scrape'] ?? Infinity);
  const candidates = inWindow(world.all('post'), 'published_at', launch, start_date)
    .filter(({ text }) => typeof text === 'string' && text !== '')
    .filter(({ author_ref = '?' }) => isEverybody || isWatched(world, launch, author_ref))
    .slice(-most);
  const passes = (author: string | undefined): boolean => {
    const person = world.known('person', author);
    const company = world.known('company', author);
    if (filter_authors === true && texts(author_roles).length > 0) {
      const title = world.position(author)?.title;
      if (!texts(author_roles).some((role) => contains(title, role) || contains(person?.headline, role)))
        return false;
    }
    const place = person === null ? company?.locations?.[0] : person.geo;
    return texts(countries).length === 0 || isInCountry(place, texts(countries));
  };
  return candidates.flatMap((post: Observed): readonly NaiveFinding[] => {
    const found = wanted.filter((keyword) => contains(post.text, keyword));
    if (found.length === 0 || (match_mode === 'all' && found.length < wanted.length)) return [];
    if (!passes(post.author_ref)) return [];
    const person = world.known('person', post.author_ref);
    const page = world.known('company', post.author_ref);
    const lead = person?.ref ?? null;
    const company = page?.ref ?? world.known('company', world.employer(lead))?.ref ?? null;
    return [
      {
        subject: `post:${post.ref}`,
        signalType: 'keywordDetection',
        signalDate: iso(post.published_at),
        company,
        lead,
        ...worth(world, launch, { company, lead }),
        sourceUrl: post.url ?? null,
        author: person === null ? null : shownPerson(world, person.ref),
        data: {
          content_id: null,
          author:
            person !== null
              ? { type: 'profile', ...shownPerson(world, person.ref) }
              : page !== null
                ? {
                    type: 'company',
                    company_name: page.name ?? null,
                    network_url: `https://n.example/company/${page.handle}`,
                  }
                : null,
          keywords_found: found,
        },
      },
    ];
  });
}

const keywords = one(
  ['CRM'],
  ['crm', 'data'],
  ['sales', 'the', 'CRM'],
  ['erp migration', 'crm'],
  ['CRM', 'CRM'],
);
const network = networkOf({ company: 3, person: 4, post: 8 });

export const keywordPostProofs: readonly DetectorProof[] = [
  {
    kind: 'keyword_post',
    random: {
      rules: 'D-01 D-02 D-03 D-05 D-08 D-09 D-10 D-12 D-13 D-18 D-32 OP-69 OP-70',
      network,
      launch: fc.oneof(
        // setups
        launchOf({
          signalTypes: fc.constant(['keywordDetection']),
          persona: fc.option(persona),
          audiences: one(
            ['network'],
            ['list_members'],
            ['list_members', 'covered_accounts'],
            ['covered_accounts'],
            ['top_accounts', 'covered_accounts'],
          ),
          listed: fc.record({ companyRefs: companies, personRefs: people }),
          parameters: fc.record({
            tracking_keywords: keywords,
            match_mode: maybe(one('any', 'all')),
            posts_since: maybe(one('last_90_days', 'custom_date')),
            start_date: maybe(one('2026-02-28', '2026-03-01')),
            filter_authors: maybe(fc.boolean()),
            author_roles: maybe(one([], ['sales'], ['vp sales', 'gardener'])),
            countries: maybe(one([], ['france'], ['DE', 'Japan'])),
          }),
        }).map((launch) =>
          launch.audiences.includes('list_members') ? launch : { ...launch, listed: null },
        ),
        // agents
        launchOf({
          signalTypes: fc.constant(['keywordDetection']),
          audiences: one(['network'], ['top_accounts']),
          covered: fc.constant([]),
          parameters: fc.record({
            tracking_keywords: keywords,
            start_date: maybe(one('2026-02-28')),
            max_posts_to_scrape: maybe(one(1, 2, 3, 100)),
          }),
        }),
      ),
      reference: keywordPosts,
    },
    killed: {
      title: 'of three posts one is of a covered account',
      observations: (now) => [
        seenCompany('acme'),
        seenCompany('globex'),
        seenPerson('ana', 'acme'),
        ...['1', '2', '3'].map((name, index) => ({
          kind: 'post',
          ref: `post:${name}`,
          author_ref: ['p:ana', 'c:globex', 'p:nobody'][index],
          text: 'A CRM for us',
          published_at: daysBefore(now, 9 - index),
        })),
      ],
      launch: {
        signalTypes: ['keywordDetection'],
        audiences: ['network'],
        parameters: { tracking_keywords: ['crm'] },
      },
      covered: ['c:globex'],
      finds: [['post:post:1', 'post:post:2', 'post:post:3']],
      pays: 2,
    },
  },
];
