import { titlesOfGroup } from '#signals/domain/agents/target-persona.js';
import type { SignalType } from '#signals/domain/runs/signal-types.js';
import { engagementDetector } from './engagement.detector.js';
import { interactionsSource, type SampleInteraction } from './testing/sample-interactions.js';
import { sampleRun, type SampleRun } from './testing/sample-run.js';

const ana = { ref: 'p:ana', title: 'VP Sales', companyRef: 'c:acme' };
const bo = { ref: 'p:bo', title: 'Account Executive', companyRef: 'c:rival' };
const dev = { ref: 'p:dev', title: 'Engineer', companyRef: 'c:rival' };
const stranger = { ref: 'p:eve', title: 'CTO', companyRef: 'c:elsewhere' };

const SEEN: readonly SampleInteraction[] = [
  { ref: 'x:ana-on-bo', by: ana, on: bo },
  { ref: 'x:eve-on-dev', by: stranger, on: dev },
  { ref: 'x:dev-on-ana', by: dev, on: ana },
  { ref: 'x:bo-on-eve', by: bo, on: stranger },
  { ref: 'x:on-page', by: ana, on: 'c:rival' },
  { ref: 'x:by-page', by: 'c:rival', on: ana },
  { ref: 'l:ana-on-bo', kind: 'reaction', by: ana, on: bo },
  { ref: 'l:bo-on-ana', kind: 'reaction', by: bo, on: ana },
  { ref: 'l:on-page', kind: 'reaction', by: ana, on: 'c:rival' },
];

const CONTENT: readonly SignalType[] = ['leadCommentedCompetitorContent', 'leadLikedCompetitorContent'];
const TEAM: readonly SignalType[] = ['networkComment', 'networkReaction'];
const TOP: readonly SignalType[] = ['competitorInboundComment', 'competitorOutboundComment'];
const OWN: readonly SignalType[] = ['leadCommentedOwnContent', 'leadLikedOwnContent'];

type Setup = SampleRun & {
  readonly signalTypes: readonly SignalType[];
  readonly direction: 'inbound' | 'outbound';
  readonly seen?: readonly SampleInteraction[];
};

async function found({ seen = SEEN, watched, ...run }: Setup): Promise<readonly string[]> {
  const all = sampleRun({
    templateKey: 'a-setup',
    source: interactionsSource(seen),
    ...run,
    watched: { members: async () => ({ companyRefs: ['c:rival'], personRefs: [] }), ...watched },
  });
  const { matches } = await engagementDetector.find(all, null, 50);
  return matches.map(({ subject }) => subject);
}
const ofPeople = (...personRefs: readonly string[]) => ({
  members: async () => ({ companyRefs: [], personRefs }),
});

describe('the engagement of setups', () => {
  it('D-17 content engagement: external people on posts of employees of the competitor and of its page', async () => {
    expect(await found({ signalTypes: CONTENT, direction: 'inbound' })).toEqual([
      'leadCommentedCompetitorContent:x:ana-on-bo',
      'leadCommentedCompetitorContent:x:eve-on-dev',
      'leadCommentedCompetitorContent:x:on-page',
      'leadLikedCompetitorContent:l:ana-on-bo',
      'leadLikedCompetitorContent:l:on-page',
    ]);
  });

  it('D-17 no employee of the competitor is external to its page', async () => {
    const seen: readonly SampleInteraction[] = [{ ref: 'x:1', by: bo, on: 'c:rival' }];
    expect(await found({ signalTypes: CONTENT, direction: 'inbound', seen })).toEqual([]);
  });

  it('2.3 interactions narrows to comments or to reactions; absent or empty it does not narrow', async () => {
    const subjects = (interactions?: readonly string[]) =>
      found({
        signalTypes: CONTENT,
        direction: 'inbound',
        parameters: interactions === undefined ? {} : { interactions: [...interactions] },
      });
    const all = await subjects();
    expect(await subjects([])).toEqual(all);
    expect(await subjects(['comment', 'reaction'])).toEqual(all);
    expect(await subjects(['comment'])).toEqual(all.filter((subject) => subject.includes('Commented')));
    expect(await subjects(['reaction'])).toEqual(all.filter((subject) => subject.includes('Liked')));
  });

  it('2.3 min_comment_length counts the characters of the trimmed comment, and does not apply to reactions', async () => {
    const seen: readonly SampleInteraction[] = [
      { ref: 'x:four', by: ana, on: bo, text: '  👍👍👍👍\n' },
      { ref: 'x:three', by: ana, on: bo, text: '  abc   ' },
      { ref: 'x:none', by: ana, on: bo, text: null },
      { ref: 'l:1', kind: 'reaction', by: ana, on: bo },
    ];
    const subjects = (min_comment_length?: number) =>
      found({
        signalTypes: CONTENT,
        direction: 'inbound',
        seen,
        parameters: min_comment_length === undefined ? {} : { min_comment_length },
      });
    const liked = 'leadLikedCompetitorContent:l:1';
    expect(await subjects(4)).toEqual(['leadCommentedCompetitorContent:x:four', liked]);
    expect(await subjects(5)).toEqual([liked]);
    expect(await subjects(0)).toHaveLength(4);
    expect(await subjects()).toHaveLength(4);
  });

  it('D-15 team activity: interactions of the titled team with posts of external people; the page of the company is not part of the team', async () => {
    const outbound = { signalTypes: TEAM, direction: 'outbound' } as const;
    expect(await found({ ...outbound, targetTitles: titlesOfGroup.prospects })).toEqual([
      'networkComment:x:bo-on-eve',
      'networkReaction:l:bo-on-ana',
    ]);
    expect(await found({ ...outbound, targetTitles: titlesOfGroup.customers })).toEqual([]);
  });

  it('D-15 OP-34 target_group fixes the titles of the team at launch, all titles if it is absent', () => {
    const { teamOf } = engagementDetector;
    expect(teamOf?.(TEAM, {})).toEqual(titlesOfGroup.all);
    expect(teamOf?.(TEAM, { target_group: 'all' })).toEqual(titlesOfGroup.all);
    expect(teamOf?.(TEAM, { target_group: 'customers' })).toEqual(titlesOfGroup.customers);
    expect(teamOf?.(CONTENT, {})).toBeNull();
  });

  it('D-32 top-account interactions: comments between the competitor and accounts, even an account that is listed', async () => {
    const watched = { accounts: async () => ['c:acme', 'c:second'] };
    const listed = {
      ...watched,
      members: async () => ({ companyRefs: ['c:rival', 'c:second'], personRefs: [] }),
    };
    const inbound = { signalTypes: TOP, direction: 'inbound' } as const;
    expect(await found({ ...inbound, watched })).toEqual(['competitorInboundComment:x:ana-on-bo']);
    expect(await found({ signalTypes: TOP, direction: 'outbound', watched })).toEqual([
      'competitorOutboundComment:x:dev-on-ana',
    ]);
    const seen: readonly SampleInteraction[] = [
      { ref: 'x:1', by: { ...stranger, companyRef: 'c:second' }, on: bo },
    ];
    expect(await found({ ...inbound, seen, watched: listed })).toEqual(['competitorInboundComment:x:1']);
  });

  it('D-29 a direction that directions leaves out reads nothing', async () => {
    const watched = { accounts: async () => ['c:acme'] };
    const refusing = { interactions: () => Promise.reject(new Error('not expected')) };
    const inbound = { parameters: { directions: ['inbound'] }, watched, signalTypes: TOP };
    expect(await found({ ...inbound, direction: 'outbound', source: refusing })).toEqual([]);
    expect(await found({ ...inbound, direction: 'inbound' })).toHaveLength(1);
    for (const directions of [[], ['inbound', 'outbound']])
      expect(await found({ ...inbound, direction: 'outbound', parameters: { directions } })).toHaveLength(1);
  });

  it('D-30 in a pass the other side works for a covered account', async () => {
    const types: readonly SignalType[] = ['partnerInboundComment', 'partnerOutboundComment'];
    const inbound = { signalTypes: types, direction: 'inbound' } as const;
    expect(await found(inbound)).toEqual([
      'partnerInboundComment:x:ana-on-bo',
      'partnerInboundComment:x:eve-on-dev',
    ]);
    const watched = { accounts: async () => ['c:elsewhere'] };
    expect(await found({ ...inbound, watched })).toEqual(['partnerInboundComment:x:eve-on-dev']);
  });

  it('2.3 topics are searched for in the post and not in the comment, and only if posts are filtered', async () => {
    const types: readonly SignalType[] = ['influencerInboundComment', 'influencerOutboundComment'];
    const seen: readonly SampleInteraction[] = [
      { ref: 'x:1', by: ana, on: bo, postText: 'Our CRM', text: 'weather' },
      { ref: 'x:2', by: ana, on: bo, postText: 'the weather', text: 'CRM' },
      { ref: 'x:3', by: ana, on: bo, postText: null },
      { ref: 'x:4', by: bo, on: ana, postText: 'a crm' },
      { ref: 'x:5', by: bo, on: ana, postText: 'rain' },
    ];
    const subjects = (direction: 'inbound' | 'outbound', parameters: SampleRun['parameters']) =>
      found({ signalTypes: types, direction, seen, parameters, watched: ofPeople('p:bo') });
    const filtered = { filter_posts: true, topics: ['crm'] };
    expect(await subjects('inbound', filtered)).toEqual(['influencerInboundComment:x:1']);
    expect(await subjects('outbound', filtered)).toEqual(['influencerOutboundComment:x:4']);
    for (const parameters of [{}, { filter_posts: false, topics: ['crm'] }, { filter_posts: true }])
      expect(await subjects('inbound', parameters)).toHaveLength(3);
  });

  it('D-17 own content: external people on posts of the followed employees, no other employee among them', async () => {
    const cy = { ref: 'p:cy', title: 'Marketing', companyRef: null };
    const seen: readonly SampleInteraction[] = [
      { ref: 'x:ana', by: ana, on: cy },
      { ref: 'x:unfollowed', by: { ...stranger, ref: 'p:di' }, on: cy },
      { ref: 'l:eve', kind: 'reaction', by: stranger, on: cy },
      { ref: 'x:other', by: ana, on: bo },
    ];
    const watched = { ...ofPeople('p:cy'), colleagues: async () => new Set(['p:cy', 'p:di']) };
    expect(await found({ signalTypes: OWN, direction: 'inbound', seen, watched })).toEqual([
      'leadCommentedOwnContent:x:ana',
      'leadLikedOwnContent:l:eve',
    ]);
  });

  it('refuses parameters of a wrong type', () => {
    expect(engagementDetector.accepts({ list_id: 1, interactions: ['comment'], extra: 1 })).toBe(true);
    expect(engagementDetector.accepts({ interactions: ['shares'] })).toBe(false);
    expect(engagementDetector.accepts({ directions: ['sideways'] })).toBe(false);
  });
});
