import type { SignalType } from '#signals/domain/runs/signal-types.js';
import type { JsonObject } from '#kernel/values/json.js';
import { shortcutsOf } from './shortcuts.js';

const payloadShortcuts = (signalType: SignalType, data: JsonObject) =>
  shortcutsOf({ signalType, signalDate: null, data });

const ana = { full_name: 'Ana Roy', network_url: null, company_name: 'Acme', role: 'VP Sales' };
const bob = {
  full_name: 'Bob Ray',
  network_url: 'https://www.network.example/in/bob',
  headline: 'SDR at Rival',
  company_name: 'Rival',
  role: 'SDR',
};
const url = 'https://www.network.example/posts/1';
const commented = {
  interaction: { type: 'comment', url: null, author: { ...bob, comment_text: 'Congratulations' } },
  post: { url, extract: 'We moved our CRM', author: ana },
};
const authorOfBob = {
  full_name: 'Bob Ray',
  headline: 'SDR at Rival',
  network_url: 'https://www.network.example/in/bob',
};

describe('the shortcuts to a payload', () => {
  it('SIG-07 OP-35 are of the commenter, even if the lead is the poster', () => {
    expect(payloadShortcuts('networkComment', commented)).toEqual({
      sourceUrl: url,
      author: authorOfBob,
      excerpt: 'Congratulations',
      details: {
        post_text: 'We moved our CRM',
        interaction: 'comment',
        comment_text: 'Congratulations',
        counterpart_name: 'Bob Ray',
        counterpart_role: 'SDR',
        counterpart_company: 'Rival',
      },
    });
  });

  for (const [type, interaction, counterpart] of [
    ['networkReaction', 'reaction', 'Bob Ray'],
    ['partnerOutboundComment', 'comment', 'Bob Ray'],
    ['partnerInboundComment', 'comment', 'Ana Roy'],
    ['leadCommentedOwnContent', 'comment', 'Ana Roy'],
    ['leadLikedCompetitorContent', 'reaction', 'Ana Roy'],
  ] as const) {
    it(`OP-20 OP-35 of ${type} name ${counterpart} beside the lead of a ${interaction}`, () => {
      const { author, details } = payloadShortcuts(type, commented);
      expect(author).toEqual(authorOfBob);
      expect(details).toMatchObject({ interaction, counterpart_name: counterpart });
    });
  }

  it('OP-42 are of the person who moved, with the roles before and after', () => {
    const profile = { full_name: 'Ana Roy', headline: 'CRO', network_url: null };
    const previous = { title: 'VP Sales', company_name: 'Acme' };
    expect(payloadShortcuts('newJob', { profile, previous, current: null })).toEqual({
      sourceUrl: null,
      author: profile,
      excerpt: null,
      details: { previous_role: 'VP Sales', previous_company: 'Acme' },
    });
    const current = { title: 'CRO', company_name: 'Rival' };
    expect(payloadShortcuts('championJobChange', { profile, previous: null, current }).details).toEqual({
      new_role: 'CRO',
      new_company: 'Rival',
    });
  });

  it('OP-42 are of a job posting, which has no author', () => {
    const data = {
      job_posting: { title: 'CRM admin', url: 'https://www.network.example/jobs/1' },
      keywords_found: ['CRM'],
      hiring_manager: ana,
    };
    expect(payloadShortcuts('jobPostingKeywordDetection', data)).toEqual({
      sourceUrl: 'https://www.network.example/jobs/1',
      author: null,
      excerpt: null,
      details: { job_title: 'CRM admin', keywords: ['CRM'] },
    });
  });

  it('SIG-08 SUP-24 have a profile for author, and no company', () => {
    const found = { keywords_found: ['CRM', 5] };
    const [by, of] = ['profile', 'company'].map((type) => ({ ...found, author: { ...bob, type } }));
    expect(payloadShortcuts('keywordDetection', by ?? {})).toMatchObject({
      author: authorOfBob,
      details: { interaction: 'post', keywords: ['CRM'] },
    });
    expect(payloadShortcuts('keywordDetection', of ?? {}).author).toBeNull();
  });

  it('SIG-04 have an author of whom only the headline is known, and no company', () => {
    const unnamed = { full_name: null, headline: 'VP Sales', network_url: null };
    expect(payloadShortcuts('keywordDetection', { author: { ...unnamed, type: 'profile' } }).author).toEqual(
      unnamed,
    );
    expect(payloadShortcuts('newJob', { profile: unnamed }).author).toEqual(unnamed);
    expect(
      payloadShortcuts('keywordDetection', { author: { ...unnamed, type: 'company' } }).author,
    ).toBeNull();
  });

  it('are cut like observed texts, and empty if the payload has another form', () => {
    const extract = 'é'.repeat(3_000);
    const { excerpt, details } = payloadShortcuts('networkComment', { post: { extract } });
    expect([excerpt, details['post_text']]).toEqual(['é'.repeat(280), 'é'.repeat(2_000)]);
    const odd = {
      interaction: [1],
      post: 'x',
      author: null,
      current: { title: 5 },
      job_posting: { url: '' },
    };
    expect(payloadShortcuts('deepSearch', odd)).toEqual({
      sourceUrl: null,
      author: null,
      excerpt: null,
      details: {},
    });
  });
});
