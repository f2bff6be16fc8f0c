import type { ReferencePart } from '#http/reference.js';

const QUERIES = ['QuerySignalsBody', 'QuerySignalsV3Body', 'CountSignalsBody'];
const V2_QUERIES = ['QuerySignalsBody', 'CountSignalsBody'];

/** The requests and answers of signals. */
export const signals: readonly ReferencePart[] = [
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
        'Only signals detected at this time or later. Default without any date: 90 days ago, or 90 days before the launch of the given run. UTC without offset.',
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
        'Its cost: the price of its movement. All signals with the same movement were paid once, together. 0: free.',
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
        'The payload of the `signal_type`. In a detection added by hand it is any JSON.',
        { content_id: 31, author: null, keywords_found: ['crm'] },
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
        'The readings of sources that showed it, at most 20; empty for observations that an operator ingested.',
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
];
