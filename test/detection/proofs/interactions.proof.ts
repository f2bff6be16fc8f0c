import type { DetectorProof } from './proof.js';
import { daysBefore, seenCompany, seenPerson } from './seen.js';

const titled = (title: string, company: string): object => ({
  experiences: [{ title, company_ref: `c:${company}`, start_date: '2024-01', end_date: null }],
});
const post = (author: string): object => ({
  kind: 'post',
  ref: `post:${author}`,
  author_ref: author,
  text: 'We grow',
});

/** Bo sells for Rival; Ana, Eve and Fay work elsewhere. */
const dealingsWithRival = (now: Date): readonly object[] => {
  const on = (author: string, by: string, days: number) => ({
    post_ref: `post:${author}`,
    author_ref: by,
    at: daysBefore(now, days),
  });
  const comment = (name: string, { at, ...said }: ReturnType<typeof on>): object => ({
    kind: 'comment',
    ref: `comment:${name}`,
    ...said,
    text: 'Well said',
    published_at: at,
  });
  const reaction = (name: string, { at, ...liked }: ReturnType<typeof on>): object => ({
    kind: 'reaction',
    ref: `reaction:${name}`,
    ...liked,
    reacted_at: at,
  });
  return [
    ...['acme', 'rival', 'globex'].map((handle) => seenCompany(handle)),
    seenPerson('bo', 'rival', titled('Account Executive', 'rival')),
    seenPerson('ana', 'acme'),
    seenPerson('eve', 'globex'),
    seenPerson('fay', 'globex'),
    ...['p:bo', 'p:ana', 'p:eve', 'p:fay', 'c:rival'].map(post),
    comment('1', on('p:bo', 'p:ana', 9)),
    reaction('2', on('p:bo', 'p:eve', 8)),
    comment('3', on('c:rival', 'p:ana', 7)),
    comment('4', on('p:ana', 'p:bo', 6)),
    reaction('5', on('p:eve', 'p:bo', 5)),
    comment('6', on('p:fay', 'p:bo', 4)),
  ];
};

const rivals = { type: 'competitor', handles: ['rival'] } as const;

export const interactionProofs: readonly DetectorProof[] = [
  {
    kind: 'interactions',
    killed: {
      title:
        'a competitor that is monitored and whose team is watched; who comes in and goes out is paid for once',
      observations: dealingsWithRival,
      launch: {
        signalTypes: [
          'competitorInboundComment',
          'competitorOutboundComment',
          'networkComment',
          'networkReaction',
          'leadCommentedCompetitorContent',
          'leadLikedCompetitorContent',
        ],
        audiences: ['list_members'],
        parameters: { mode: 'all' },
        directions: ['inbound', 'outbound'],
        targetTitles: ['Account Executive'],
      },
      list: rivals,
      topAccounts: ['c:acme'],
      finds: [
        [
          'competitorInboundComment:comment:1',
          'leadCommentedCompetitorContent:comment:1',
          'leadLikedCompetitorContent:reaction:2',
        ],
        [
          'competitorOutboundComment:comment:4',
          'networkComment:comment:4',
          'networkReaction:reaction:5',
          'networkComment:comment:6',
        ],
      ],
      pays: 3,
    },
  },
  {
    kind: 'engagement',
    killed: {
      title: 'engagement with the posts of a competitor and its page, of three one by a covered account',
      observations: dealingsWithRival,
      launch: {
        signalTypes: ['leadCommentedCompetitorContent', 'leadLikedCompetitorContent'],
        audiences: ['list_members'],
        parameters: {},
        directions: ['inbound'],
        templateKey: 'competitor-content-engagement',
      },
      list: rivals,
      covered: ['c:globex'],
      finds: [
        [
          'leadCommentedCompetitorContent:comment:1',
          'leadLikedCompetitorContent:reaction:2',
          'leadCommentedCompetitorContent:comment:3',
        ],
      ],
      pays: 2,
    },
  },
];
