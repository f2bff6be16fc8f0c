import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static, type TSchema } from '#kernel/values/schema.js';
import { ContentAuthor } from '#identities/domain/contents/content-facts.js';
import { DetectionAuthor } from './shortcut-facts.js';
import type { SignalType } from './signal-types.js';

const text = Nullable(Type.String());

const KeywordPayload = Type.Object(
  {
    content_id: Nullable(Id),
    author: Nullable(ContentAuthor),
    keywords_found: Type.Array(Type.String()),
  },
  { title: 'KeywordPayload' },
);

/** Comments between a watched side and accounts, partners and similar lists. */
const CommentPayload = Type.Object(
  {
    interaction: Type.Object({
      type: Type.Literal('comment'),
      content_id: Nullable(Id),
      author: DetectionAuthor,
    }),
    post: Type.Object({ content_id: Nullable(Id), author: DetectionAuthor }),
  },
  { title: 'CommentPayload' },
);

const poster = {
  full_name: text,
  first_name: text,
  last_name: text,
  network_url: text,
  company_name: text,
  role: text,
};
const Poster = Type.Object(poster, { title: 'PayloadPoster' });
const Actor = Type.Object({ ...poster, comment_text: text }, { title: 'PayloadActor' });

const Post = Type.Object({ url: text, extract: text, author: Poster }, { title: 'PayloadPost' });
const acted = { type: OneOf('comment', 'reaction'), url: text };

/** Comments and reactions of a competitor's team. */
const TeamInteractionPayload = Type.Object(
  { interaction: Type.Object({ ...acted, content_id: Nullable(Id), author: Actor }), post: Post },
  { title: 'TeamInteractionPayload' },
);

/** Comments and reactions of leads on own or competitors' content. */
const LeadInteractionPayload = Type.Object(
  { interaction: Type.Object({ ...acted, author: Actor }), post: Post },
  { title: 'LeadInteractionPayload' },
);

const position = { title: text, company_name: text, company_network_url: text };

/** Career moves; the dates are as on the network. */
const CareerMovePayload = Type.Object(
  {
    profile: DetectionAuthor,
    change: OneOf('new_company', 'promotion', 'departure'),
    previous: Nullable(Type.Object({ ...position, end_date: text })),
    current: Nullable(Type.Object({ ...position, start_date: text })),
  },
  { title: 'CareerMovePayload' },
);

const JobPostingPayload = Type.Object(
  {
    job_posting: Type.Object({
      title: text,
      url: text,
      location: text,
      posted_at: Timestamp,
      company_name: text,
    }),
    keywords_found: Nullable(Type.Array(Type.String())),
    hiring_manager: Nullable(DetectionAuthor),
  },
  { title: 'JobPostingPayload' },
);

const JobPostingInsightPayload = Type.Object(
  {
    topic: Type.String(),
    job_postings: Type.Array(Type.Object({ title: text, url: text })),
    summary: Type.String(),
  },
  { title: 'JobPostingInsightPayload' },
);

const ObservedEmployees = Type.Object(
  { employees: Type.Integer({ minimum: 0 }), observed_at: Timestamp },
  { title: 'ObservedEmployees' },
);

/** The facts of a company signal as values; null for a question of a client. */
const CompanySignalFacts = Nullable(
  Type.Union([
    Type.Object(
      {
        department: text,
        over_months: Type.Integer({ minimum: 1 }),
        change_percent: Type.Number(),
        from: ObservedEmployees,
        to: ObservedEmployees,
      },
      { title: 'HeadcountFacts' },
    ),
    Type.Object({ city: text, region: text, country: text, country_code: text }, { title: 'LocationFacts' }),
    Type.Object({ round: text, amount: Nullable(Type.Number()), currency: text }, { title: 'FundingFacts' }),
    Type.Object(
      { renewal_date: Type.String(), days_left: Type.Integer({ minimum: 0 }), contract: text },
      { title: 'RenewalFacts' },
    ),
  ]),
);

const DeepSearchPayload = Type.Object(
  {
    question: text,
    answer: text,
    evidence: Type.Array(Type.Object({ url: text, extract: text })),
    facts: CompanySignalFacts,
  },
  { title: 'DeepSearchPayload' },
);

/** The payload of each signal type (OP-42). A detection added by hand may have any JSON instead. */
export const PAYLOADS = {
  keywordDetection: KeywordPayload,
  newJob: CareerMovePayload,
  recentlyPromoted: CareerMovePayload,
  jobPostingKeywordDetection: JobPostingPayload,
  competitorInboundComment: CommentPayload,
  competitorOutboundComment: CommentPayload,
  partnerInboundComment: CommentPayload,
  partnerOutboundComment: CommentPayload,
  customerInboundComment: CommentPayload,
  customerOutboundComment: CommentPayload,
  influencerInboundComment: CommentPayload,
  influencerOutboundComment: CommentPayload,
  championInboundComment: CommentPayload,
  championOutboundComment: CommentPayload,
  championJobChange: CareerMovePayload,
  networkComment: TeamInteractionPayload,
  networkReaction: TeamInteractionPayload,
  leadLikedOwnContent: LeadInteractionPayload,
  leadCommentedOwnContent: LeadInteractionPayload,
  leadLikedCompetitorContent: LeadInteractionPayload,
  leadCommentedCompetitorContent: LeadInteractionPayload,
  jobPosting: JobPostingPayload,
  jobPostingInsight: JobPostingInsightPayload,
  jobPostingHiringManager: JobPostingPayload,
  deepSearch: DeepSearchPayload,
} as const satisfies { readonly [Each in SignalType]: TSchema };

export type PayloadOf<Each extends SignalType> = Immutable<Static<(typeof PAYLOADS)[Each]>>;
