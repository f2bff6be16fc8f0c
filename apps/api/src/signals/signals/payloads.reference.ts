import type { ReferencePart } from '#http/reference.js';

const INTERACTIONS = ['TeamInteractionPayloadInteraction', 'LeadInteractionPayloadInteraction'];
const POSITIONS = ['CareerMovePayloadPrevious', 'CareerMovePayloadCurrent'];

/** The payloads of detections, by signal type. */
export const payloads: readonly ReferencePart[] = [
  {
    of: ['KeywordPayload'],
    fields: {
      content_id: ['Id of the post; `/api/v2/contents/{content_id}` shows it.', 31],
      author: ['The person or company page that wrote the post; null when unknown.'],
      keywords_found: ['The keywords that the post mentions.', ['crm']],
    },
  },
  {
    of: ['CommentPayload', 'TeamInteractionPayload', 'LeadInteractionPayload'],
    fields: {
      interaction: ['The comment or reaction.'],
      post: ['The post that was commented or reacted to.'],
    },
  },
  {
    of: ['CommentPayloadInteraction', 'CommentPayloadPost', 'TeamInteractionPayloadInteraction'],
    fields: { content_id: ['Id of the content; null if the workspace has no such content.', 31] },
  },
  {
    of: ['CommentPayloadInteraction', ...INTERACTIONS],
    fields: {
      type: ['Whether it is a comment or a reaction.', 'comment'],
      author: ['The person who commented or reacted.'],
    },
  },
  { of: ['CommentPayloadPost', 'PayloadPost'], fields: { author: ['The person who wrote the post.'] } },
  {
    of: [...INTERACTIONS, 'PayloadPost'],
    fields: {
      url: ['Its address; null without a public one.', 'https://www.network.example/posts/811'],
    },
  },
  {
    of: ['PayloadPost'],
    fields: { extract: ['The beginning of the post; null without a text.', 'Which crm do you use?'] },
  },
  {
    of: ['PayloadPoster', 'PayloadActor'],
    fields: {
      full_name: ['First and last name; null when unknown.', 'Ana Roy'],
      first_name: ['First name; null when unknown.', 'Ana'],
      last_name: ['Last name; null when unknown.', 'Roy'],
      network_url: [
        'Address of the profile on the professional network; null when unknown.',
        'https://www.network.example/in/ana',
      ],
      company_name: ['Present employer; null when unknown.', 'Acme'],
      role: ['Present title of the person; null when unknown.', 'VP Sales'],
    },
  },
  {
    of: ['PayloadActor'],
    fields: {
      comment_text: ['Text of the comment; null for a reaction or without a text.', 'We changed last year.'],
    },
  },
  {
    of: ['CareerMovePayload'],
    fields: {
      profile: ['The person.'],
      change: ['The kind of the move.', 'new_company'],
      previous: ['The position before the move; null when unknown.'],
      current: ['The position after the move; null after a departure.'],
    },
  },
  {
    of: POSITIONS,
    fields: {
      title: ['Title in this position; null when unknown.', 'VP Sales'],
      company_name: ['Name of the company; null when unknown.', 'Acme'],
      company_network_url: [
        'Address of the page of the company; null when unknown.',
        'https://www.network.example/company/acme',
      ],
    },
  },
  {
    of: POSITIONS.slice(0, 1),
    fields: { end_date: ['When it ended, as the network shows it; null when unknown.', '2026-01'] },
  },
  {
    of: POSITIONS.slice(1),
    fields: { start_date: ['When it began, as the network shows it; null when unknown.', '2026-01'] },
  },
  {
    of: ['JobPostingPayload'],
    fields: {
      job_posting: ['The job posting.'],
      keywords_found: ['The keywords that it mentions; null for types that look for no keywords.', ['crm']],
      hiring_manager: ['The hiring manager; null when unknown.'],
    },
  },
  {
    of: ['JobPostingPayloadJobPosting', 'JobPostingInsightPayloadJobPosting'],
    fields: {
      title: ['Title of the posting; null when unknown.', 'Account Executive'],
      url: ['Address of the posting; null without a public one.', 'https://www.network.example/jobs/81'],
    },
  },
  {
    of: ['JobPostingPayloadJobPosting'],
    fields: {
      location: ['Place of the job; null when unknown.', 'Paris'],
      posted_at: ['When it was posted, in UTC.'],
      company_name: ['Name of the company; null when unknown.', 'Acme'],
    },
  },
  {
    of: ['JobPostingInsightPayload'],
    fields: {
      topic: ['The topic of the setup.', 'CRM migration'],
      job_postings: ['The newest postings about it, at most 20, newest first.'],
      summary: [
        'How many postings are about it, as a sentence.',
        '2 postings of Acme are about CRM migration',
      ],
    },
  },
  {
    of: ['DeepSearchPayload'],
    fields: {
      question: ['Key of the signal template, or the question of the setup.', 'headcount-growth'],
      answer: ['The finding as a text; null when nothing of it is known.', '+25% in 6 months (120 to 150)'],
      evidence: ['Where it was read; may be empty.'],
      facts: ['The finding as values; null for a question of the setup.'],
    },
  },
  {
    of: ['DeepSearchPayloadEvidenceEntry'],
    fields: {
      url: ['Address of the source; null without a public one.', 'https://www.network.example/posts/811'],
      extract: ['The sentence or text; null without one.', 'Acme opens in Lyon'],
    },
  },
  {
    of: ['HeadcountFacts'],
    fields: {
      department: ['The department, as the setup names it; null: the whole company.', 'Sales'],
      over_months: ['Months between the two observations.', 6, 'months'],
      change_percent: ['The change, rounded to one decimal.', 25, 'percent'],
      from: ['The earlier observation.'],
      to: ['The later observation.'],
    },
  },
  {
    of: ['ObservedEmployees'],
    fields: {
      employees: ['Number of employees.', 120, 'employees'],
      observed_at: ['When it was observed, in UTC.'],
    },
  },
  {
    of: ['LocationFacts'],
    fields: { country: ['Name of the country; null when unknown.', 'France'] },
  },
  {
    of: ['FundingFacts'],
    fields: {
      round: ['pre_seed, seed, series_a, series_b, series_c or later; null when unknown.', 'series_a'],
      amount: ['The amount; null when unknown.', 12_000_000, 'units of the currency'],
      currency: ['The currency (ISO 4217); null when unknown.', 'EUR'],
    },
  },
  {
    of: ['RenewalFacts'],
    fields: {
      renewal_date: ['The day on which the contract ends.', '2026-03-01'],
      days_left: ['Days until then.', 30, 'days'],
      contract: ['Name of the contract; null when unknown.', 'Enterprise 2026'],
    },
  },
];
