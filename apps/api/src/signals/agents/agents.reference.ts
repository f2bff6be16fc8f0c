import type { ReferencePart } from '#http/reference.js';

/** The parameters that a caller sends. */
const SENT = ['AgentParametersBody', 'ChangeAgentBodyParameters'];
const SHOWN = ['AgentParameters'];

/** Agents: their own fields, and the parameters of their types. */
export const agents: readonly ReferencePart[] = [
  {
    of: ['Agent', 'CreateAgentBody', 'ChangeAgentBody'],
    fields: {
      name: [
        'Name of the agent, 1 to 100 characters; the default is derived from its type.',
        'Keyword posts',
      ],
      schedule: [
        'Interval of automatic runs: once a week, or null for none. Only schedulable agents accept a schedule.',
      ],
      watchlist_kind: ['Kind of the list of the agent, companies or people; null without a list.'],
      watchlist_id: [
        'Id of the list that the agent watches; null for none. An agent watches at most one list.',
        12,
      ],
    },
  },
  {
    of: ['Agent', 'CreateAgentBody'],
    fields: {
      type: [
        'Type of the agent; it determines the parameters. `unconfigured` has no list yet.',
        'keyword_detection',
      ],
    },
  },
  {
    of: ['Agent', 'ChangeAgentBody'],
    fields: {
      enabled: ['Whether the agent runs automatically; a disabled agent can still be launched by a request.'],
    },
  },
  {
    of: ['Agent'],
    fields: {
      schedulable: [
        'Whether the agent may have a schedule: keyword post searches, and competitor agents that discover leads.',
      ],
      parameters: ['The parameters of the search; they depend on the type.', { tracking_keywords: ['crm'] }],
    },
  },
  {
    of: ['CreateAgentBody'],
    fields: { parameters: ['The parameters of the search; they depend on the type.'] },
  },
  {
    of: ['ChangeAgentBody'],
    fields: { parameters: ['Merged into the parameters key by key; arrays are replaced.'] },
  },
  {
    of: ['Schedule', 'ScheduleBody', 'ChangeAgentBodySchedule', 'ChangeSignalSetupBodySchedule'],
    fields: {
      cadence: ['How often: every week.'],
      max_credits: [
        'The most that each launch of the schedule may spend, at least the price of one signal. A run that reaches the limit keeps its paid signals and ends completed_partial. Null removes the limit; if it is not sent, an existing limit stays.',
        50,
        'credits',
      ],
    },
  },
  {
    of: SENT,
    fields: {
      start_date: ['Only posts of this day (00:00 UTC) and later. Not for job postings. Null removes it.'],
      max_posts_to_scrape: [
        'Largest number of posts that one run reads, newest first; null: no limit. Keyword agents only.',
        500,
        'posts a run',
      ],
      target_group: [
        'The team of the competitor that a competitor agent watches: new business, account management, or both.',
      ],
    },
  },
  {
    of: SHOWN,
    fields: {
      start_date: ['Only posts of this day (00:00 UTC) and later.', '2026-07-01'],
      max_posts_to_scrape: [
        'Largest number of posts that one run reads, newest first; absent without a limit.',
        500,
        'posts a run',
      ],
      target_group: [
        'The team of the competitor that a competitor agent watches: new business, account management, or both. Null if it was never set.',
      ],
      resolved_target_persona: [
        'The titles for which the next discovery run of a competitor agent searches; read-only.',
        ['Head of Sales'],
      ],
    },
  },
  {
    of: [...SENT, ...SHOWN],
    fields: {
      tracking_keywords: [
        'Words that are searched in posts or job postings; one match is enough. Keyword agents only.',
        ['crm', 'sales pipeline'],
      ],
      mode: [
        'What a competitor agent does: `account_monitoring` detects interactions between the competitor and your top accounts and is free, ' +
          '`lead_discovery` detects people who interact with its team and charges each person, `all` does both. Absent: account_monitoring.',
      ],
      job_titles: [
        'Titles of the new position, one of which it must contain. An empty list sets no condition.',
        ['Head of Sales'],
      ],
      seniority_levels: [
        'Seniorities of the new position. An empty list sets no condition.',
        ['director', 'vp'],
      ],
      company_domains_to_scrape: [
        'Domains of the companies that count. An empty list sets no condition.',
        ['acme.com'],
      ],
      target_persona: [
        'Titles, one of which the position must contain, beside `job_titles`. An empty list sets no condition.',
        ['Sales'],
      ],
      target_persona_locations: [
        'Places, in one of which the person must be. An empty list sets no condition.',
        ['France'],
      ],
      interested_by: [
        'Whether only customers or only other companies count; both or neither do not narrow the search.',
      ],
      keywords_for_social_detection: [
        'Words, one of which the profile or a post of the person must contain. An empty list sets no condition.',
        ['crm'],
      ],
      author_roles: [
        'Texts, one of which the title or headline of the person must contain. An empty list sets no condition.',
        ['Sales'],
      ],
      author_industries: [
        'Texts, one of which the industry of the company must contain. An empty list sets no condition.',
        ['Software'],
      ],
      target_network_profiles: [
        'Addresses of the only profiles that count. An empty list sets no condition.',
        ['https://www.network.example/in/ana'],
      ],
    },
  },
  {
    of: ['InterestedByBody', 'ChangeAgentBodyParametersInterestedBy', 'AgentParametersInterestedBy'],
    fields: {
      customers: ['Companies on an active list of customers.'],
      prospects: ['Companies on no active list of customers.'],
    },
  },
];
