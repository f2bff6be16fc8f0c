import { employed, observedCompany, observedPerson, observedPost } from '#test/support/observed-network.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { KEYWORD_TEMPLATE, postNames } from '#test/support/signal-runs.js';

const NOW = '2026-06-01T10:00:00.000Z';

describe('the posts found by a keyword run', () => {
  const service = scene({ at: NOW });
  const workspace = sharedWorkspace(service, { credits: 100_000 }, ({ persona }) => persona());

  /** Runs a new agent with these parameters; returns the names of the posts found. */
  const foundBy = async (parameters: object, run?: object): Promise<readonly string[]> =>
    foundByRunOf(await workspace.agent('keyword_post_search', { parameters }), run);

  const foundBySetup = async (parameters: object): Promise<readonly string[]> =>
    foundByRunOf(await workspace.setup(KEYWORD_TEMPLATE, parameters));

  async function foundByRunOf(sourceId: number, run?: object): Promise<readonly string[]> {
    expect(await workspace.run(sourceId, run)).toMatchObject({ stage: 'completed' });
    return postNames(await workspace.detections({ agent_id: sourceId, signal_start_date: '2025-12-10' }));
  }

  const keywordsFoundIn = async (sourceId: number): Promise<Readonly<Record<string, readonly string[]>>> => {
    const rows = await workspace.detections({ agent_id: sourceId });
    return Object.fromEntries(rows.map((row) => [postNames([row])[0], row.data.keywords_found]));
  };

  describe('by their words', () => {
    const post = (name: string, text: string): object =>
      observedPost(name, 'writer', text, '2026-05-31T09:00:00Z');

    beforeAll(() =>
      service.ingest([
        observedPerson('writer'),
        post('upper', 'Our CRM is live'),
        post('hash', '#crm first'),
        post('possessive', 'the crm’s owner'),
        post('compound', 'a CRM-based approach'),
        post('full-width', 'ＣＲＭ for everyone'),
        post('chinese', '我们的CRM系统'),
        post('soft-hyphen', 'the C\u00ADR\u00ADM world'),
        post('zero-width', 'the C\u200BRM world'),
        post('scrm', 'a social SCRM'),
        post('crms', 'many crms'),
        post('underscore', 'crm_x'),
        post('digit', 'crm2go'),
        post('accent', 'crḿ'),
        post('sales', 'A Sales Manager speaks'),
        post('line-break', 'sales\n\t manager'),
        post('split', 'sales is not a manager’s job'),
        post('resume', 'send a resume'),
        post('accented', 'send a résumé'),
        post('plus', 'I write c++, mostly'),
        post('strasse', 'In der HAUPTSTRASSE'),
        post('sigma', 'Ο ΟΔΥΣΣΕΥΣ'),
      ]),
    );

    it('OP-69 CRM is a word: not a part of one, in any case, width and script and with hidden characters', async () => {
      expect(await foundBy({ tracking_keywords: ['crm'] })).toEqual([
        'chinese',
        'compound',
        'full-width',
        'hash',
        'possessive',
        'soft-hyphen',
        'upper',
        'zero-width',
      ]);
    });

    it('OP-69 are the same for any spelling of the keyword', async () => {
      const plain = await foundBy({ tracking_keywords: ['crm'] });
      for (const keyword of ['CRM', ' ＣＲＭ ', 'c\u00ADrm']) {
        expect(await foundBy({ tracking_keywords: [keyword] })).toEqual(plain);
      }
    });

    it('OP-69 SIG-08 have overlapping keywords once each, in the agent’s spelling and order', async () => {
      const keywords = ['Manager', 'SALES MANAGER', 'sales', 'nowhere'];
      const agentId = await workspace.agent('keyword_post_search', {
        parameters: { tracking_keywords: keywords },
      });
      await workspace.run(agentId);
      expect(await keywordsFoundIn(agentId)).toEqual({
        sales: ['Manager', 'SALES MANAGER', 'sales'],
        'line-break': ['Manager', 'SALES MANAGER', 'sales'],
        split: ['Manager', 'sales'],
      });
    });

    it('OP-69 need all keywords in one post with match_mode all, any without it', async () => {
      const words = { tracking_keywords: ['speaks', 'sales'] };
      expect(await foundBySetup({ ...words, match_mode: 'all' })).toEqual(['sales']);
      expect(await foundBySetup({ ...words, match_mode: 'any' })).toEqual(['line-break', 'sales', 'split']);
      expect(await foundBySetup(words)).toEqual(['line-break', 'sales', 'split']);
    });

    it('OP-69 respect accents, fold ß and final sigma, and need no edge if a keyword ends in a sign', async () => {
      expect(await foundBy({ tracking_keywords: ['resume'] })).toEqual(['resume']);
      expect(await foundBy({ tracking_keywords: ['résumé'] })).toEqual(['accented']);
      expect(await foundBy({ tracking_keywords: ['hauptstraße'] })).toEqual(['strasse']);
      expect(await foundBy({ tracking_keywords: ['οδυσσευσ'] })).toEqual(['sigma']);
      expect(await foundBy({ tracking_keywords: ['C++'] })).toEqual(['plus']);
    });
  });

  describe('by time', () => {
    const post = (name: string, publishedAt: string): object =>
      observedPost(name, 'clock', 'about chronology', publishedAt);
    const words = { tracking_keywords: ['chronology'] };

    beforeAll(() =>
      service.ingest([
        observedPerson('clock'),
        post('now', NOW),
        post('future', '2026-06-01T10:00:00.001Z'),
        post('29-days', '2026-05-03T10:00:00Z'),
        post('30-days', '2026-05-02T10:00:00Z'),
        post('31-days', '2026-05-01T10:00:00Z'),
        post('89-days', '2026-03-04T10:00:00Z'),
        post('91-days', '2026-03-02T10:00:00Z'),
        post('179-days', '2025-12-04T10:00:00Z'),
        post('before-midnight', '2026-05-09T23:59:59.999Z'),
        post('midnight', '2026-05-10T00:00:00Z'),
      ]),
    );

    it('RUN-08 OP-70 are at most 90 days old by default, and never in the future', async () => {
      expect(await foundBy(words)).toEqual([
        '29-days',
        '30-days',
        '31-days',
        '89-days',
        'before-midnight',
        'midnight',
        'now',
      ]);
    });

    it('RUN-08 OP-70 with 30 days include 29 days, and not exactly 30 or 31', async () => {
      expect(await foundBy(words, { lookback_days: 30 })).toEqual([
        '29-days',
        'before-midnight',
        'midnight',
        'now',
      ]);
      // the query window ends at 180 days, so the oldest one is checked in the run
      expect(await foundBy(words, { lookback_days: 1 })).toEqual(['now']);
    });

    it('OP-70 AG-13 a start_date begins at its midnight and does not widen the look-back', async () => {
      expect(await foundBy({ ...words, start_date: '2026-05-10' })).toEqual(['midnight', 'now']);
      expect(await foundBy({ ...words, start_date: '2025-01-01' }, { lookback_days: 30 })).toHaveLength(4);
    });

    it('OP-70 posts_since custom_date of a setup begins at its midnight too', async () => {
      const since = { posts_since: 'custom_date', start_date: '2026-05-10' };
      expect(await foundBySetup({ ...words, ...since })).toEqual(['midnight', 'now']);
      expect(await foundBySetup({ ...words, posts_since: 'last_90_days' })).toContain('89-days');
    });
  });

  describe('by author', () => {
    const words = { tracking_keywords: ['authorship'] };
    const wrote = (handle: string): object =>
      observedPost(`by-${handle}`, handle, 'on authorship', '2026-05-30T09:00:00Z');
    const from = (country: string, code: string): object => ({
      geo: { city: null, region: null, country, country_code: code },
    });

    beforeAll(() =>
      service.ingest([
        observedCompany('acme'),
        observedPerson('cto', { ...employed('acme', 'CTO & Founder'), ...from('France', 'FR') }),
        observedPerson('headliner', { headline: 'Fractional CTO', ...from('Germany', 'DE') }),
        observedPerson('director', { headline: 'Director of Octopuses', ...from('france', 'fr') }),
        observedPerson('past', {
          experiences: [{ title: 'CTO', company_ref: 'c:acme', start_date: '2019-01', end_date: '2021-01' }],
        }),
        observedPerson('blank'),
        ...['cto', 'headliner', 'director', 'past', 'blank', 'nobody'].map(wrote),
      ]),
    );

    it('RUN-30 OP-70 come from the whole network, with known or unknown authors', async () => {
      const all = ['by-blank', 'by-cto', 'by-director', 'by-headliner', 'by-nobody', 'by-past'];
      expect(await foundBy(words)).toEqual(all);
      expect(await foundBySetup(words)).toEqual(all);
    });

    it('OP-70 match a role in the current title or headline; an author with neither does not match', async () => {
      const filter = { filter_authors: true, author_roles: ['cto'] };
      expect(await foundBySetup({ ...words, ...filter })).toEqual(['by-cto', 'by-headliner']);
      expect(await foundBySetup({ ...words, filter_authors: false })).toHaveLength(6);
    });

    it('OP-70 match a country by name or code, in any case; an unknown country does not match', async () => {
      expect(await foundBySetup({ ...words, countries: ['FRANCE'] })).toEqual(['by-cto', 'by-director']);
      expect(await foundBySetup({ ...words, countries: ['de'] })).toEqual(['by-headliner']);
      expect(await foundBySetup({ ...words, countries: ['de', 'fr'] })).toHaveLength(3);
    });
  });

  it('SUP-14 SUP-15 SUP-24 RUN-30 show a company as author in the payload only', async () => {
    const written = observedPost('by-initech', 'initech', 'corporate speech', '2026-05-30T09:00:00Z');
    await service.ingest([
      observedCompany('initech', { name: 'Initech' }),
      { ...written, author_ref: 'c:initech' },
      observedPost('by-nobody-known', 'stranger', 'corporate speech', '2026-05-29T09:00:00Z'),
    ]);
    expect(await foundBy({ tracking_keywords: ['corporate speech'] })).toEqual([
      'by-initech',
      'by-nobody-known',
    ]);
    const rows = await workspace.detections();
    const ofCompany = rows.find((row) => row.source_url.endsWith('/by-initech'));
    expect(ofCompany).toMatchObject({
      author: null,
      lead_id: null,
      company_id: expect.any(Number),
      excerpt: 'corporate speech',
      provenance: [],
      data: {
        author: {
          type: 'company',
          company_name: 'Initech',
          network_url: 'https://www.network.example/company/initech',
        },
        keywords_found: ['corporate speech'],
      },
    });
    expect(Object.keys(ofCompany.data.author).sort()).toEqual(['company_name', 'network_url', 'type']);
    const ofStranger = rows.find((row) => row.source_url.endsWith('/by-nobody-known'));
    expect(ofStranger).toMatchObject({
      author: null,
      lead_id: null,
      company_id: null,
      data: { author: null },
    });
  });

  it('RUN-35 AG-58 OP-71 max_posts_to_scrape limits the search to the newest posts, with or without a match', async () => {
    const post = (hour: number, text: string): object =>
      observedPost(`at-${hour}`, 'counter', text, `2026-06-01T0${hour}:00:00Z`);
    await service.ingest([
      post(5, 'numbered'),
      post(6, 'numbered'),
      post(7, 'silent'),
      post(8, 'numbered'),
      post(9, 'silent'),
    ]);
    const words = { tracking_keywords: ['numbered'] };
    const today = { lookback_days: 1 };
    expect(await foundBy(words, today)).toEqual(['at-5', 'at-6', 'at-8']);
    // the newest of all is the one of 10:00
    expect(await foundBy({ ...words, max_posts_to_scrape: 3 }, today)).toEqual(['at-8']);
    expect(await foundBy({ ...words, max_posts_to_scrape: 5 }, today)).toEqual(['at-6', 'at-8']);
    expect(await foundBy({ ...words, max_posts_to_scrape: 2 }, today)).toEqual([]);
  });
});
