import { agentTypes } from '#signals/domain/agents/agent-types.js';
import { isSignalType } from '#signals/domain/runs/signal-types.js';
import { interactionsDetector } from './interactions.detector.js';
import { interactionsSource, type SampleInteraction } from './testing/sample-interactions.js';
import { sampleRun, type SampleRun } from './testing/sample-run.js';

const ana = { ref: 'p:ana', title: 'VP Sales', companyRef: 'c:acme' };
const bo = { ref: 'p:bo', title: 'Account Executive', companyRef: 'c:rival' };
const dev = { ref: 'p:dev', title: 'Engineer', companyRef: 'c:rival' };
const stranger = { ref: 'p:eve', title: 'CTO', companyRef: 'c:elsewhere' };

const rivals = { companyRefs: ['c:rival', 'c:second'], personRefs: [] };

/** The findings of a competitor agent in this mode and direction, with acme as a top account. */
function competitorRun(
  mode: string | null,
  direction: 'inbound' | 'outbound',
  seen: readonly SampleInteraction[],
  { watched, ...run }: SampleRun = {},
) {
  const { signalTypes } = agentTypes.competitor.detection(mode === null ? {} : { mode });
  return sampleRun({
    direction,
    signalTypes: signalTypes.filter(isSignalType),
    targetTitles: ['Account Executive'],
    source: interactionsSource(seen),
    watched: {
      members: async () => rivals,
      topAccounts: async () => ['c:acme'],
      ...watched,
    },
    ...run,
  });
}

const matchesOf = async (...run: Parameters<typeof competitorRun>) =>
  (await interactionsDetector.find(competitorRun(...run), null, 50)).matches;
const subjectsOf = async (...run: Parameters<typeof competitorRun>): Promise<readonly string[]> =>
  (await matchesOf(...run)).map(({ subject }) => subject);

const BOTH_SIDES: readonly SampleInteraction[] = [
  { ref: 'x:ana-on-bo', by: ana, on: bo },
  { ref: 'x:ana-on-dev', by: ana, on: dev },
  { ref: 'x:eve-on-bo', by: stranger, on: bo },
  { ref: 'x:bo-on-ana', by: bo, on: ana },
  { ref: 'x:dev-on-ana', by: dev, on: ana },
  { ref: 'x:bo-on-eve', by: bo, on: stranger },
  { ref: 'l:ana-on-bo', kind: 'reaction', by: ana, on: bo },
  { ref: 'l:bo-on-ana', kind: 'reaction', by: bo, on: ana },
];

describe('the interactions of agents', () => {
  it('D-40 D-41 without a mode comments of top-account people on posts of the competitor are inbound, for any title', async () => {
    expect(await subjectsOf(null, 'inbound', BOTH_SIDES)).toEqual([
      'competitorInboundComment:x:ana-on-bo',
      'competitorInboundComment:x:ana-on-dev',
    ]);
    expect(await subjectsOf('account_monitoring', 'inbound', BOTH_SIDES)).toEqual([
      'competitorInboundComment:x:ana-on-bo',
      'competitorInboundComment:x:ana-on-dev',
    ]);
  });

  it('D-29 D-40 and comments of employees of the competitor on posts of top-account people are outbound', async () => {
    expect(await subjectsOf(null, 'outbound', BOTH_SIDES)).toEqual([
      'competitorOutboundComment:x:bo-on-ana',
      'competitorOutboundComment:x:dev-on-ana',
    ]);
  });

  it('D-15 SUP-02 lead discovery finds comments and reactions of external people on posts of the titled team', async () => {
    expect(await subjectsOf('lead_discovery', 'inbound', BOTH_SIDES)).toEqual([
      'leadCommentedCompetitorContent:x:ana-on-bo',
      'leadCommentedCompetitorContent:x:eve-on-bo',
      'leadLikedCompetitorContent:l:ana-on-bo',
    ]);
    expect(await subjectsOf('lead_discovery', 'outbound', BOTH_SIDES)).toEqual([
      'networkComment:x:bo-on-ana',
      'networkComment:x:bo-on-eve',
      'networkReaction:l:bo-on-ana',
    ]);
  });

  it('D-15 tracks no one if the titles of the team match no one, and all if it has no titles', async () => {
    expect(await subjectsOf('lead_discovery', 'inbound', BOTH_SIDES, { targetTitles: ['Gardener'] })).toEqual(
      [],
    );
    expect(await subjectsOf('lead_discovery', 'outbound', BOTH_SIDES, { targetTitles: null })).toContain(
      'networkComment:x:dev-on-ana',
    );
  });

  it('D-40 in mode all a comment that fits both is recorded as monitoring first, and is free as such', async () => {
    const found = await matchesOf('all', 'inbound', [{ ref: 'x:1', by: ana, on: bo }]);
    expect(found.map(({ subject, chargeKey, priced }) => ({ subject, chargeKey, priced }))).toEqual([
      {
        subject: 'competitorInboundComment:x:1',
        chargeKey: 'competitorInboundComment:x:1',
        priced: false,
      },
      { subject: 'leadCommentedCompetitorContent:x:1', chargeKey: 'lead:p:ana', priced: true },
    ]);
  });

  it('D-40 records monitoring first in both directions, in whatever order a launch names the types', async () => {
    const signalTypes = [...agentTypes.competitor.detection({ mode: 'all' }).signalTypes]
      .filter(isSignalType)
      .toReversed();
    expect(await subjectsOf('all', 'inbound', [{ ref: 'x:1', by: ana, on: bo }], { signalTypes })).toEqual([
      'competitorInboundComment:x:1',
      'leadCommentedCompetitorContent:x:1',
    ]);
    expect(await subjectsOf('all', 'outbound', [{ ref: 'x:1', by: bo, on: ana }], { signalTypes })).toEqual([
      'competitorOutboundComment:x:1',
      'networkComment:x:1',
    ]);
  });

  it('D-44 all discoveries of one person share one charge, and a lead of an earlier launch is free', async () => {
    const asked: string[] = [];
    const seen: readonly SampleInteraction[] = [
      { ref: 'x:1', by: ana, on: bo },
      { ref: 'l:1', kind: 'reaction', by: ana, on: bo },
      { ref: 'x:2', by: stranger, on: bo },
    ];
    const found = await matchesOf('lead_discovery', 'inbound', seen, {
      surfacedBefore: async (people) => {
        asked.push(...people.map(({ ref }) => ref));
        return new Set(['p:eve']);
      },
    });
    expect(found.map(({ chargeKey, priced }) => [chargeKey, priced])).toEqual([
      ['lead:p:ana', true],
      ['lead:p:ana', true],
      ['lead:p:eve', false],
    ]);
    expect(new Set(asked)).toEqual(new Set(['p:ana', 'p:eve']));
  });

  it('D-08 account monitoring is free and does not query earlier leads', async () => {
    const found = await matchesOf(null, 'inbound', BOTH_SIDES, {
      surfacedBefore: () => Promise.reject(new Error('not expected')),
    });
    expect(found.map(({ priced }) => priced)).toEqual([false, false]);
  });

  it('D-43 two listed companies that are both top accounts give an inbound and an outbound finding for a comment', async () => {
    const second = { ...stranger, companyRef: 'c:second' };
    const seen: readonly SampleInteraction[] = [{ ref: 'x:1', by: second, on: bo }];
    const watched = { topAccounts: async () => ['c:rival', 'c:second'] };
    expect(await subjectsOf(null, 'inbound', seen, { watched })).toEqual(['competitorInboundComment:x:1']);
    expect(await subjectsOf(null, 'outbound', seen, { watched })).toEqual(['competitorOutboundComment:x:1']);
    // Discovery leaves out people who work for a listed company.
    expect(await subjectsOf('lead_discovery', 'inbound', seen, { watched })).toEqual([]);
  });

  it('D-17 D-43 people of the same company, members of the list and own employees are not external', async () => {
    const colleague = { ...stranger, companyRef: 'c:rival' };
    const seen: readonly SampleInteraction[] = [
      { ref: 'x:self', by: bo, on: bo },
      { ref: 'x:colleague', by: colleague, on: bo },
      { ref: 'x:own', by: ana, on: bo },
      { ref: 'x:ok', by: { ...ana, ref: 'p:new' }, on: bo },
    ];
    const watched = {
      topAccounts: async () => ['c:rival', 'c:acme'],
      colleagues: async () => new Set(['p:ana']),
    };
    expect(await subjectsOf('all', 'inbound', seen, { watched })).toEqual([
      'competitorInboundComment:x:ok',
      'leadCommentedCompetitorContent:x:ok',
    ]);
  });

  it('D-11 D-12 an unknown person and a page are on no side; with an unknown employer a person is no colleague', async () => {
    const [unknown, other] = ['p:x', 'p:y'].map((ref) => ({ ref, title: 'CEO', companyRef: 'c:unknown' }));
    const seen: readonly SampleInteraction[] = [
      { ref: 'x:nobody', by: null, on: bo },
      { ref: 'x:page', by: 'c:acme', on: bo },
      { ref: 'x:of-page', by: stranger, on: 'c:rival' },
      { ref: 'x:jobless', by: { ...stranger, companyRef: null }, on: bo },
      { ref: 'x:unknown-employer', by: unknown ?? null, on: other ?? null },
    ];
    const watched = { members: async () => ({ companyRefs: ['c:rival'], personRefs: ['p:y'] }) };
    expect(await subjectsOf('lead_discovery', 'inbound', seen, { watched, targetTitles: null })).toEqual([
      'leadCommentedCompetitorContent:x:jobless',
      'leadCommentedCompetitorContent:x:unknown-employer',
    ]);
  });

  for (const type of ['partner', 'customer', 'influencer', 'champion'] as const) {
    it(`D-40 a ${type} agent tracks the comments between its list and top accounts, both ways`, async () => {
      const isOfPeople = type === 'influencer' || type === 'champion';
      const members = async () =>
        isOfPeople ? { companyRefs: [], personRefs: ['p:bo'] } : { companyRefs: ['c:rival'], personRefs: [] };
      const signalTypes = agentTypes[type].detection({})?.signalTypes ?? [];
      const subjects = async (direction: 'inbound' | 'outbound') => {
        const run = competitorRun(null, direction, BOTH_SIDES, {
          signalTypes: signalTypes.filter(isSignalType),
          targetTitles: null,
          watched: { members },
        });
        return (await interactionsDetector.find(run, null, 50)).matches.map(({ subject }) => subject);
      };
      const also = (ref: string) => (isOfPeople ? [] : [ref]);
      expect(await subjects('inbound')).toEqual([
        `${type}InboundComment:x:ana-on-bo`,
        ...also(`${type}InboundComment:x:ana-on-dev`),
      ]);
      expect(await subjects('outbound')).toEqual([
        `${type}OutboundComment:x:bo-on-ana`,
        ...also(`${type}OutboundComment:x:dev-on-ana`),
      ]);
    });
  }

  it('D-17 a listed person is never the other side, even at a top account', async () => {
    const members = async () => ({ companyRefs: [], personRefs: ['p:bo', 'p:ana'] });
    const run = competitorRun(null, 'inbound', BOTH_SIDES, {
      signalTypes: ['influencerInboundComment', 'influencerOutboundComment'],
      watched: { members },
    });
    expect((await interactionsDetector.find(run, null, 50)).matches).toEqual([]);
  });
});
