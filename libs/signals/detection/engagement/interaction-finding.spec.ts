import type { Interaction } from '#signals/domain/runs/interaction-facts.js';
import type { Author, ObservedInteraction } from '#network/network-source.port.js';
import { shortcutsOf } from '#signals/detection/shortcuts.js';
import { sampleInteraction } from '#signals/detection/testing/sample-interactions.js';
import { interactionFinding } from './interaction-finding.js';
import type { KnownPerson } from './sides.js';

const profile = (name: string, title: string, company: string): KnownPerson => {
  const handle = name.toLowerCase().replace(' ', '-');
  const [firstName = '', lastName = ''] = name.split(' ');
  const { actor } = sampleInteraction({
    ref: 'x:0',
    by: { ref: `p:${handle}`, title, companyRef: `c:${company}` },
    on: null,
  });
  if (actor?.entity !== 'person' || actor.company === null) throw new Error('a person is a person');
  return {
    ...actor,
    person: { ...actor.person, firstName, lastName, fullName: name, headline: `${title} at ${company}` },
    company: { ...actor.company, name: company },
  };
};
const ana = profile('Ana Roy', 'VP Sales', 'Acme');
const bo = profile('Bo Lind', 'Account Executive', 'Rival');
const rival: Author = {
  entity: 'company',
  company: { ...sampleCompanyOf(bo), networkUrl: 'https://n.example/rival' },
};

function sampleCompanyOf({ company }: KnownPerson) {
  if (company === null) throw new Error('the employer is known');
  return company;
}

const between = (
  actor: Author,
  poster: Author,
  more: Partial<ObservedInteraction> = {},
): ObservedInteraction => {
  const seen = sampleInteraction({ ref: 'x:1', by: null, on: null, text: 'We can help' });
  return { ...seen, actor, post: { ...seen.post, author: poster }, ...more };
};
const REACTION = { kind: 'reaction', ref: 'l:1', url: null, text: null, reaction: 'love' } as const;

function shown(type: Interaction, seen: ObservedInteraction, tracked: Author, other: KnownPerson) {
  const finding = interactionFinding(type, seen, { tracked, other });
  if (finding === null) throw new Error('it is a finding');
  return { finding, ...shortcutsOf(finding) };
}

const postUrl = 'https://www.network.example/posts/1';
const url = `${postUrl}?comment=1`;
const anaPage = { full_name: 'Ana Roy', network_url: 'https://www.network.example/in/ana-roy' };
const boPage = { full_name: 'Bo Lind', network_url: 'https://www.network.example/in/bo-lind' };
const anaNamed = { ...anaPage, headline: 'VP Sales at Acme' };
const boNamed = { ...boPage, headline: 'Account Executive at Rival' };
const anaAtLength = {
  ...anaPage,
  first_name: 'Ana',
  last_name: 'Roy',
  company_name: 'Acme',
  role: 'VP Sales',
};
const boAtLength = {
  ...boPage,
  first_name: 'Bo',
  last_name: 'Lind',
  company_name: 'Rival',
  role: 'Account Executive',
};
const post = { url: postUrl, extract: 'We are moving our CRM' };
const MOMENT = '2026-01-03T09:00:00.000Z';
const details = {
  post_text: 'We are moving our CRM',
  action_date: MOMENT,
  comment_text: 'We can help',
  counterpart_name: 'Bo Lind',
  counterpart_role: 'Account Executive',
  counterpart_company: 'Rival',
};

describe('the finding of an interaction', () => {
  it('SIG-10 D-40 inbound: the commenter is the lead and the author, the tracked side the counterpart', () => {
    const { finding, ...shortcuts } = shown('partnerInboundComment', between(ana, bo), bo, ana);
    expect(finding).toMatchObject({
      subject: 'partnerInboundComment:x:1',
      signalDate: MOMENT,
      lead: { ref: 'p:ana-roy' },
      company: { ref: 'c:Acme' },
      data: {
        interaction: { type: 'comment', content_id: null, author: anaNamed },
        post: { content_id: null, author: boNamed },
      },
    });
    expect(finding.contents.map(({ ref, captured, idIn }) => [ref, captured, idIn])).toEqual([
      ['x:1', true, 'interaction'],
      ['post:1', false, 'post'],
    ]);
    expect(shortcuts).toEqual({
      sourceUrl: url,
      author: anaNamed,
      excerpt: 'We can help',
      details: { ...details, interaction: 'comment' },
    });
  });

  it('SIG-10 D-40 outbound: the poster is the lead, the commenter the author', () => {
    const { finding, ...shortcuts } = shown('competitorOutboundComment', between(bo, ana), bo, ana);
    expect(finding.data).toEqual({
      interaction: { type: 'comment', content_id: null, author: boNamed },
      post: { content_id: null, author: anaNamed },
    });
    expect([finding.lead?.ref, finding.company?.ref, shortcuts.author]).toEqual([
      'p:ana-roy',
      'c:Acme',
      boNamed,
    ]);
    expect(shortcuts.details).toEqual({ ...details, interaction: 'comment' });
  });

  it('SIG-11 C-7 a comment of the team shows both texts in full, and is captured', () => {
    const { finding, ...shortcuts } = shown('networkComment', between(bo, ana), bo, ana);
    expect(finding.data).toEqual({
      interaction: {
        type: 'comment',
        url,
        content_id: null,
        author: { ...boAtLength, comment_text: 'We can help' },
      },
      post: { ...post, author: anaAtLength },
    });
    expect(finding.contents.map(({ ref, captured, idIn }) => [ref, captured, idIn])).toEqual([
      ['x:1', true, 'interaction'],
      ['post:1', false, null],
    ]);
    expect(shortcuts).toEqual({
      sourceUrl: url,
      author: boNamed,
      excerpt: 'We can help',
      details: { ...details, interaction: 'comment' },
    });
  });

  it('SIG-11 a reaction of the team has no link and no text, is not captured, and names the post', () => {
    const { finding, ...shortcuts } = shown('networkReaction', between(bo, ana, REACTION), bo, ana);
    expect(finding.data).toEqual({
      interaction: {
        type: 'reaction',
        url: null,
        content_id: null,
        author: { ...boAtLength, comment_text: null },
      },
      post: { ...post, author: anaAtLength },
    });
    expect(finding.contents.some(({ captured, idIn }) => captured || idIn !== null)).toBe(false);
    const { comment_text: _, ...withoutComment } = details;
    expect(shortcuts).toEqual({
      sourceUrl: postUrl,
      author: boNamed,
      excerpt: 'We are moving our CRM',
      details: { ...withoutComment, interaction: 'reaction' },
    });
  });

  for (const content of ['CompetitorContent', 'OwnContent'] as const) {
    it(`SIG-12 engagement with ${content} is mirrored and is captured on neither side`, () => {
      const commented = shown(`leadCommented${content}`, between(ana, bo), bo, ana);
      expect(commented.finding.data).toEqual({
        interaction: { type: 'comment', url, author: { ...anaAtLength, comment_text: 'We can help' } },
        post: { ...post, author: boAtLength },
      });
      expect([commented.sourceUrl, commented.author, commented.excerpt]).toEqual([
        url,
        anaNamed,
        'We can help',
      ]);
      expect(commented.details).toEqual({ ...details, interaction: 'comment' });
      const liked = shown(`leadLiked${content}`, between(ana, bo, REACTION), bo, ana);
      expect(liked.finding.data).toEqual({
        interaction: { type: 'reaction', url: null, author: { ...anaAtLength, comment_text: null } },
        post: { ...post, author: boAtLength },
      });
      expect([liked.sourceUrl, liked.excerpt]).toEqual([postUrl, 'We are moving our CRM']);
      for (const { finding } of [commented, liked])
        expect(finding.contents.some(({ captured, idIn }) => captured || idIn !== null)).toBe(false);
    });
  }

  it('2.3 a tracked page has the name of its company and no role', () => {
    const seen = between(ana, rival);
    const { finding, details: ownDetails } = shown('leadCommentedCompetitorContent', seen, rival, ana);
    expect(finding.data['post']).toEqual({
      ...post,
      author: {
        full_name: 'Rival',
        first_name: null,
        last_name: null,
        network_url: 'https://n.example/rival',
        company_name: 'Rival',
        role: null,
      },
    });
    const { counterpart_role: _, ...without } = details;
    expect(ownDetails).toEqual({ ...without, counterpart_name: 'Rival', interaction: 'comment' });
  });

  it('D-35 long texts are cut, and a comment of white space alone gives no excerpt', () => {
    const long = between(ana, bo, { text: 'é'.repeat(3_000) });
    const seen = { ...long, post: { ...long.post, text: 'ü'.repeat(3_000) } };
    const { finding, excerpt, details: ownDetails } = shown('leadCommentedOwnContent', seen, bo, ana);
    expect(finding.data).toMatchObject({
      interaction: { author: { comment_text: 'é'.repeat(2_000) } },
      post: { extract: 'ü'.repeat(280) },
    });
    expect(excerpt).toBe('é'.repeat(280));
    expect([ownDetails['comment_text'], ownDetails['post_text']]).toEqual([
      'é'.repeat(2_000),
      'ü'.repeat(2_000),
    ]);
    expect(shown('leadCommentedOwnContent', between(ana, bo, { text: ' \n ' }), bo, ana).excerpt).toBe(
      'We are moving our CRM',
    );
  });
});
