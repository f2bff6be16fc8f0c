import type { ReferencePart } from '#http/reference.js';

const QUERIES = ['QuerySignalsBody', 'QuerySignalsV3Body', 'CountSignalsBody'];
const V2_QUERIES = ['QuerySignalsBody', 'CountSignalsBody'];

/** Signals as they are asked for. */
const queries: readonly ReferencePart[] = [
  {
    of: QUERIES,
    fields: {
      signal_end_date: [
        'Only signals with this date or earlier; a day is included completely. UTC without offset.',
      ],
      detection_end_date: [
        'Only signals detected at this time or earlier; of a day all of it. UTC without offset.',
      ],
      signal_run_id: ['Only signals that this run found.', 91],
      lead_id: ['Only signals that are about this lead itself.', 77],
      countries: [
        'Countries of the lead, as the lead locations name them; of countries and cities one is enough.',
        ['France'],
      ],
      cities: ['Cities of the lead, as the lead locations name them; of countries and cities one is enough.'],
    },
  },
  {
    of: V2_QUERIES,
    fields: {
      detection_start_date: ['Only signals detected at this time or later. UTC without offset.'],
      signal_start_date: [
        'Only signals with this date or later; at most 180 days ago. Default: 90 days ago, or 90 days before the launch if only a run is given.',
      ],
      agent_id: ['Only signals of this agent or signal setup.', 7],
      company_id: ['Only signals about this company; a company that is no top account has none.', 9],
      company_domain: [
        'Only signals about top accounts with one of these domains; of these three filters one is enough.',
        ['acme.com'],
      ],
      company_network_handle: [
        'Only signals about top accounts with one of these handles; of these three filters one is enough.',
        ['acme'],
      ],
      company_network_url: [
        'Only signals about top accounts with one of these pages; of these three filters one is enough.',
        ['https://www.network.example/company/acme'],
      ],
    },
  },
  {
    of: ['QuerySignalsV3Body'],
    fields: {
      signal_start_date: ['Only signals with this date or later, at most 180 days ago. UTC without offset.'],
      detection_start_date: [
        'Only signals detected at this time or later; default without any date: 90 days ago. UTC without offset.',
      ],
      company_id: ['Only signals about this company.', 9],
      signal_setup_id: ['Only signals of this setup.', 31],
      signal_template_key: [
        'Only signals of setups that were made from one of these templates.',
        ['competitor-content-engagement'],
      ],
    },
  },
  {
    of: ['QuerySignalsBody', 'QuerySignalsV3Body'],
    fields: { type: ['Only signals of one of these types.'] },
  },
  { of: ['CountSignalsBody'], fields: { type: ['No filter of the count: it is refused.'] } },
  { of: ['CityBody', 'LeadCity'], fields: { name: ['Name of the city.', 'Paris'] } },
  { of: ['SignalCount'], fields: { count: ['Signals that the filters let through.', 4, 'signals'] } },
  {
    of: ['LeadLocations'],
    fields: {
      countries: ['Countries of leads that signals are about, in alphabetical order.', ['France', 'Spain']],
      cities: ['Cities of leads that signals are about, by country and name.'],
    },
  },
];

/** Signals as they are answered, and the posts behind them. */
const answers: readonly ReferencePart[] = [
  {
    of: ['Detection', 'Signal', 'SignalSummary'],
    fields: {
      id: ['Id of the detection, the same in both generations of the query.', 501],
      signal_type: ['Type of the signal; the queries can filter by it.', 'keywordDetection'],
      signal_date: ['When the detected event happened, in UTC; null when unknown.'],
      detected_at: ['When it was detected, in UTC.'],
      source_url: [
        'Address of the post, interaction or job posting; null without a public one.',
        'https://www.network.example/posts/811',
      ],
      credits: [
        'What it cost: the price of its movement, which all signals that name the same one were paid with once. 0: it was free.',
        10,
        'credits',
      ],
      movement_id: ['Id of the credit movement that paid for it; null if it was free.', 412],
    },
  },
  {
    of: ['Detection'],
    fields: {
      data: [
        'What was found; its members depend on `signal_type`. Of a detection added by hand any JSON.',
        { content_id: 31, keywords_found: ['crm'] },
      ],
      lead_id: [
        'The lead of the signal, or the author of its content if it has no lead; null when unknown.',
        77,
      ],
      company_id: ['The company that it is about; null when unknown.', 9],
      agent_id: ['The agent or signal setup that found it; null for one added by hand.', 7],
      author: ['The author of the content, if it is a known person; otherwise null.'],
      excerpt: ['The beginning of the text; null without one.', 'Which crm do you use?'],
    },
  },
  {
    of: ['Detection', 'Signal', 'SignalSummary'],
    fields: {
      provenance: [
        'Where it comes from: the readings of sources that showed it, at most 20; empty for what the operator piped in.',
      ],
    },
  },
  {
    of: ['SourceReading'],
    fields: {
      kind: ['Kind of the source.', 'greenhouse'],
      name: ['How the operator calls it.', 'Acme jobs'],
      url: ['Its address at that time; null for a file.', 'https://boards.greenhouse.io/acme'],
      read_at: ['When it showed this, in UTC.'],
    },
  },
  {
    of: ['Signal', 'SignalSummary'],
    fields: {
      lead: ['The person that it is about, as known now; null without one.'],
      company: ['The company that it is about, as known now; null without one.'],
      details: [
        'The match, with the same members for every type; members that a type does not have are null.',
      ],
    },
  },
  {
    of: ['Signal'],
    fields: {
      signal_setup_id: ['The setup that found it; null for signals of agents and those added by hand.', 31],
      signal_template_key: [
        'Key of the template of that setup; null without one.',
        'competitor-content-engagement',
      ],
    },
  },
  {
    of: ['SignalLead'],
    fields: {
      id: ['Id of the lead.', 77],
      full_name: ['First and last name; null when unknown.', 'Ana Roy'],
      title: ['Title of the person; null when unknown.', 'VP Sales'],
      photo_url: ['Address of the photo; null when unknown.', 'https://img.network.example/ana.png'],
      network_url: [
        'Address of the profile on the professional network; null when unknown.',
        'https://www.network.example/in/ana',
      ],
    },
  },
  {
    of: ['SignalCompany'],
    fields: { id: ['Id of the company.', 9], name: ['Name of the company; null when unknown.', 'Acme'] },
  },
  {
    of: ['SignalDetails'],
    fields: {
      post_text: ['The beginning of the post.', 'Which crm do you use?'],
      action_date: ['When it was done, in UTC: the date of the signal.'],
      interaction: ['The interaction with the post: comment, reaction, or post for its author.', 'comment'],
      comment_text: ['Text of the comment.', 'We changed last year.'],
      counterpart_name: ['Name of the other person.', 'Lee Park'],
      counterpart_role: ['Title of the other person.', 'CEO'],
      counterpart_company: ['Employer of the other person.', 'Rival Inc.'],
      job_title: ['Title of the job posting.', 'Account Executive'],
      new_role: ['Present title of the person.', 'VP Sales'],
      new_company: ['Present employer.', 'Acme'],
      previous_role: ['Previous title of the person.', 'Head of Sales'],
      previous_company: ['Previous employer.', 'Rival Inc.'],
      keywords: ['Keywords that were found.', ['crm']],
    },
  },
  {
    of: ['DetectionAuthor', 'ProfileAuthor'],
    fields: {
      full_name: ['First and last name; null when unknown.', 'Ana Roy'],
      headline: ['The headline of the profile; null when unknown.', 'VP Sales at Acme'],
      network_url: [
        'Address of the profile on the professional network; null when unknown.',
        'https://www.network.example/in/ana',
      ],
    },
  },
  { of: ['ProfileAuthor'], fields: { type: ['A person.'] } },
  {
    of: ['CompanyAuthor'],
    fields: {
      type: ['A company in its own name.'],
      company_name: ['Name of the company; null when unknown.', 'Acme'],
    },
  },
  {
    of: ['Content'],
    fields: {
      id: ['Id of the post, comment or job posting.', 31],
      type: ['What it is.'],
      url: ['Address of it; null without a public one.', 'https://www.network.example/posts/811'],
      text: ['Its text; null when unknown.', 'Which crm do you use? We are looking for one.'],
      published_at: ['When it was published, in UTC; null when unknown.'],
      author: ['Name of the author; null when unknown.'],
      lead_id: ['Lead id of the author; null if the author is no lead of the workspace.', 77],
      company_id: ['Id of its company; null if it is no company of the workspace.', 9],
      reaction_count: ['Reactions to it; null when unknown.', 12, 'reactions'],
      comment_count: ['Comments on it; null when unknown.', 3, 'comments'],
    },
  },
];

/** Runs as they are listed. */
const runs: ReferencePart = {
  of: ['listSignalRuns'],
  fields: {
    agent_id: ['Only runs of this agent or signal setup.', 7],
    stage: ['Only runs in one of these stages; absent: of every stage.'],
    trigger: ['Only runs that were launched for this reason.'],
  },
};

/** The catalogue of signals, setups made from it, and runs. */
const catalogue: readonly ReferencePart[] = [
  {
    of: ['SignalTemplate'],
    fields: {
      key: ['Key of the template, the same in every installation.', 'competitor-content-engagement'],
      name: ['Name of the signal.', 'Engagement with competitor content'],
      description: [
        'Description of the signal; null without one.',
        'People who comment on or react to what a competitor posts',
      ],
      row_summary: ['The same in one line; null without one.', 'Who engages with your competitors'],
      category: ['Family of signals that it belongs to.', 'engagement'],
      status: ['Whether it can be set up now (`live`) or is announced.'],
      subjects: ['Subjects of the signal: people, companies, or both.'],
      scopes: [
        'Scope of the search: new accounts (`discovery`), monitored accounts (`account_monitoring`), or both.',
      ],
      tags: ['Labels; new ones can appear at any time.', ['competition', 'popular']],
      pricing: ['Prices of its signals for the workspace.'],
      setup: ['The fields of a setup of this template.'],
      display_order: ['Place in the catalogue, ascending.', 80, 'place'],
      archived_at: [
        'When it was retired, in UTC; null while it can be set up. Setups of a retired template keep running.',
      ],
    },
  },
  {
    of: ['SignalTemplatePricing'],
    fields: {
      account_monitoring: [
        'Price of watching key accounts with its bucket; null while there is none, which does not mean free.',
      ],
      discovery: ['Price of a signal found elsewhere; null while there is none, which does not mean free.'],
    },
  },
  {
    of: ['SignalTemplatePricingAccountMonitoring', 'SignalTemplatePricingDiscovery', 'SignalBucketPricing'],
    fields: {
      credits: ['The price, exact and never rounded.', 20, 'credits'],
      unit: ['The unit of the price.'],
    },
  },
  {
    of: ['SignalTemplatePricingAccountMonitoring'],
    fields: { signal_bucket: ['The bucket that the template is in.'] },
  },
  {
    of: ['SignalTemplateSetup'],
    fields: {
      fields: [
        'JSON Schema (2020-12) of the `parameters` of a setup. Keywords that begin with `x-` are for forms; unknown ones are to be ignored.',
        {
          type: 'object',
          properties: { list_id: { type: 'integer', minimum: 1, 'x-watchlist-type': 'competitor' } },
          required: ['list_id'],
        },
      ],
      shape: ['Kind of the detector.'],
    },
  },
  {
    of: ['SignalBucket'],
    fields: {
      key: [
        'Key of the bucket, the same in every installation: essential, standard or advanced.',
        'essential',
      ],
      name: ['Name of the bucket.', 'Essential'],
      description: ['Description of its content; null without one.', 'Signals that every account team needs'],
      display_order: ['Place among the buckets, ascending.', 10, 'place'],
      signal_template_ids: ['Ids of the templates in it.', [1, 8]],
      pricing: [
        'Price of an account on a list with this bucket, for the workspace; null while there is none, which does not mean free.',
      ],
    },
  },
  {
    of: ['SignalSetup', 'CreateSignalSetupBody', 'ChangeSignalSetupBody'],
    fields: {
      name: [
        'Name of the setup, 1 to 255 characters; the default is the name of its template.',
        'Rival posts',
      ],
      schedule: ['How often it runs by itself: once a week, or null for never.'],
    },
  },
  {
    of: ['CreateSignalSetupBody'],
    fields: {
      signal_template_id: ['Id of the template; exactly one of it and `signal_template_key`.', 8],
      signal_template_key: [
        'Key of the template, the same on every installation; exactly one of it and `signal_template_id`.',
        'competitor-content-engagement',
      ],
    },
  },
  {
    of: ['SignalSetup', 'CreateSignalSetupBody'],
    fields: { parameters: ['Answers to the `setup.fields` of the template.', { list_id: 12 }] },
  },
  {
    of: ['ChangeSignalSetupBody'],
    fields: {
      parameters: [
        'Merged into the parameters key by key; null takes one away. The `list_id` cannot be changed.',
        { min_comment_length: 20 },
      ],
      enabled: ['Whether the setup runs automatically; a disabled setup can still be launched by a request.'],
    },
  },
  {
    of: ['SignalSetup'],
    fields: {
      status: ['Whether the setup runs automatically; a disabled setup can still be launched by a request.'],
    },
  },
  {
    of: ['SignalSetupStats'],
    fields: {
      period_start: ['Begin of the 90 days, in UTC.'],
      period_end: ['End of the 90 days, in UTC: the moment of the request.'],
      signals_found: ['Top-priority signals of the period.', 14, 'signals'],
      accounts_reached: ['Companies that these signals are about, each once.', 9, 'companies'],
      key_accounts: ['Of those, companies on a list of customers or prospects now.', 4, 'companies'],
      new_accounts: ['Of those, all others.', 5, 'companies'],
      credits_spent: ['Credits held or captured for the setup in the period.', 140, 'credits'],
      weeks: ['The period in thirteen weeks, oldest first; the first one may be shorter.'],
      latest_signal: ['The latest signal; null without one in the period.'],
    },
  },
  {
    of: ['SignalSetupWeek'],
    fields: {
      start: ['Begin of the week, in UTC.'],
      signals_found: ['Top-priority signals of the week.', 2, 'signals'],
    },
  },
  {
    of: ['LaunchSignalRunBody', 'QuoteSignalRunBody'],
    fields: {
      agent_id: ['Id of the agent or signal setup to run; exactly one of it and `signal_setup_id`.', 7],
      signal_setup_id: ['Id of the signal setup to run; exactly one of it and `agent_id`.', 31],
      parameters: ['How to run it.'],
    },
  },
  {
    of: ['RunParameters', 'SignalRun', 'Quote'],
    fields: {
      lookback_days: [
        'The period of the search before the present. Champion agents do not use it.',
        90,
        'days',
      ],
    },
  },
  {
    of: ['LaunchedRun', 'SignalRun', 'CancelledRun'],
    fields: {
      signal_request_id: ['Id of the run, to poll it.', 91],
      stage: ['How far the run is. It leaves `running` once and for all.'],
    },
  },
  {
    of: ['SignalRun'],
    fields: {
      agent_id: ['The agent or signal setup that runs.', 7],
      direction: ['Direction of the interactions: inbound or outbound; `single` for other agents.'],
      trigger: ['Why it was launched: by a request, by its schedule, or to watch monitored accounts.'],
      matches_found: ['Signals that were recorded.', 4, 'signals'],
      matches_dropped: [
        'Signals that were found and could not be paid for; they are not kept.',
        0,
        'signals',
      ],
      credits_spent: ['Cost of the run.', 40, 'credits'],
      completed_at: ['When it ended, in UTC; null while it runs.'],
    },
  },
];

const limits: readonly ReferencePart[] = [
  {
    of: ['LaunchSignalRunBody', 'QuoteSignalRunBody', 'SignalRun'],
    fields: {
      max_credits: ['Most credits that all runs of the launch together may spend.', 50, 'credits'],
    },
  },
  {
    of: ['SignalRun'],
    fields: {
      credits_left: ['The rest of `max_credits` of its launch; null without a limit.', 20, 'credits'],
    },
  },
];

export const signals: readonly ReferencePart[] = [...queries, ...answers, runs, ...limits, ...catalogue];
