import type { ReferencePart } from '#http/reference.js';

const IDENTIFIED = ['Company', 'LeadCompany'];
const MAPPINGS = ['CompanyMapping', 'CompanyMappingWithProfiles'];
const FILTERS = ['QueryContentRequestsBody'];

/** Companies and people as they are known. */
const known: readonly ReferencePart[] = [
  {
    of: [...IDENTIFIED, 'MappedCompany', 'ContentRequestCompany', 'TopAccountCompany', 'NamedThing'],
    fields: { name: ['Name; null when unknown.', 'Acme'] },
  },
  {
    of: IDENTIFIED,
    fields: {
      activity_summary: ['Description of the company; null when unknown.', 'Makes software for logistics'],
      employee_range: ['Size of the company as a range; null when unknown.', '51-200'],
      location: ['Headquarters, for a person to read; null when unknown.', 'Paris, France'],
    },
  },
  {
    of: ['Company'],
    fields: {
      url: ['Address of the website; null when unknown.', 'https://acme.com'],
      locations: ['Places of the company, headquarters first; empty when unknown.'],
      number_of_employees: ['Number of employees; null when unknown.', 120, 'people'],
      founded_year: ['When it was founded; null when unknown.', 2009, 'year'],
      industries: ['Industry; null when unknown.', 'Software'],
      tagline: ['The tagline of its page on the network; null when unknown.', 'Logistics made easy'],
      observed_at: [
        'When a source about the company was last read, even without news, in UTC; null if none was read.',
      ],
      pipeline_configs: ['How its background work is configured; empty: as usual.'],
    },
  },
  {
    of: ['PipelineConfig', 'PipelineConfigBody'],
    fields: {
      pipeline_type: [
        'Which background work: account_mapping, top_account_content, signal_detection; others may come.',
        'account_mapping',
      ],
      configuration: ['How it is done; `disabled` stops it for the company.', 'disabled'],
    },
  },
  {
    of: ['ConfigurePipelinesBody'],
    fields: { pipeline_configs: ['The pipelines to configure; others do not change.'] },
  },
  {
    of: ['CompanyLocation'],
    fields: {
      is_hq: ['Whether the headquarters are there.'],
      country: ['Name of the country; null when unknown.', 'France'],
      state: ['Name of the state; null when unknown.', 'Île-de-France'],
      postal_code: ['Postal code; null when unknown.', '75002'],
      line1: ['First line of the address; null when unknown.', '1 rue de la Paix'],
      line2: ['Second line of the address; null when unknown.', 'Bâtiment B'],
      formatted_address: [
        'The address in one line; null when unknown.',
        '1 rue de la Paix, 75002 Paris, France',
      ],
      latitude: ['Latitude (WGS 84); null when unknown.', 48.8692, 'degrees'],
      longitude: ['Longitude (WGS 84); null when unknown.', 2.3316, 'degrees'],
    },
  },
  {
    of: ['Lead', 'MappedProfile', 'ProfileMember', 'ProfileEntity', 'MonitoredProfileMember'],
    fields: {
      first_name: ['First name; null when unknown.', 'Ana'],
      last_name: ['Last name; null when unknown.', 'Roy'],
      avatar_url: ['Address of the photo; null when unknown.', 'https://img.network.example/ana.png'],
      position: ['Present title of the person; null when unknown.', 'VP Sales'],
      network_headline: ['The headline of the profile; null when unknown.', 'VP Sales at Acme'],
    },
  },
  {
    of: ['Lead', 'MappedProfile'],
    fields: { email: ['E-mail address; null when unknown.', 'ana@acme.com'] },
  },
  {
    of: ['Lead'],
    fields: {
      phone: ['Phone number; null when unknown.', '+33 1 23 45 67 89'],
      location: ['Place of the person as text; null when unknown.', 'Paris, France'],
      geo: ['Place of the person; null when unknown.'],
      company: ['Present employer; null when unknown.'],
      experiences: ['Positions of the person, newest first; null when unknown.'],
    },
  },
  {
    of: ['LeadGeo', 'ProfileLocation'],
    fields: { country: ['Name of the country; null when unknown.', 'France'] },
  },
  {
    of: ['LeadCompany'],
    fields: { is_top_account: ['Whether the company is a top account of the workspace now.'] },
  },
  {
    of: ['LeadExperience'],
    fields: {
      title: ['Title in this position; null when unknown.', 'VP Sales'],
      company_name: ['Name of the company; null when unknown.', 'Acme'],
      company_network_url: [
        'Page of the company on the network; null when unknown.',
        'https://www.network.example/company/acme',
      ],
      location: ['Place of the position; null when unknown.', 'Paris'],
      start_date: ['Start date, as exactly as known; null when unknown.', '2024-03'],
      end_date: ['End date, as exactly as known; null for a present position.', '2025-11'],
      is_current: ['Whether it is a present position.'],
    },
  },
];

/** Finding out who works at a company, and the background work behind it. */
const mapping: readonly ReferencePart[] = [
  {
    of: MAPPINGS,
    fields: {
      id: ['Id of the mapping.', 4],
      request_date: ['Day (UTC) of the request; null when unknown.'],
      version: ['How often it was made again, from 1; null while it is made.', 1, 'versions'],
      status: ['Whether the mapping is complete; null if its request failed.'],
      company: ['The company; null when it is gone.'],
      persona_id: ['The persona that it is for; null: for every persona.', 3],
    },
  },
  {
    of: ['CompanyMappingWithProfiles'],
    fields: { profiles: ['Employees who match the persona.'] },
  },
  {
    of: ['MappedProfile'],
    fields: {
      id: ['Id of the lead.', 77],
      network_about: ['The summary of the profile; null when unknown.', 'I help teams sell'],
      position_start_date: ['Since when the person works there; null when unknown.'],
      phone_number: ['Phone number; null when unknown.', '+33 1 23 45 67 89'],
      location: ['Place of the person; null when unknown.'],
      seniority: ['Seniority; `unspecified` when unclear.', 'vp'],
      department: ['Department; `unspecified` when unclear.', 'sales'],
    },
  },
  {
    of: ['EnrichCompanyMappingBody'],
    fields: {
      domain: [
        'Domain of the company. Exactly one of domain, network_url, network_handle and company_id.',
        'acme.com',
      ],
      network_url: [
        'Page of the company on the network, with or without scheme.',
        'https://www.network.example/company/acme',
      ],
      network_handle: ['Handle of the company on the network.', 'acme'],
      company_id: ['Id of a company of the workspace.', 9],
      persona_ids: [
        'Personas to find people for; absent: those of the lists that the company is on, or every active one.',
        [3],
      ],
    },
  },
  {
    of: ['EnrichmentAccepted'],
    fields: {
      status: ['Always `accepted`.'],
      request_id: [
        'Deprecated: `launches` has one for each persona. That of the first launch that has one.',
        310,
      ],
      stage: ['How far that request is.'],
      launches: ['The outcome for each persona.'],
    },
  },
  {
    of: ['EnrichmentLaunch'],
    fields: {
      request_id: ['Id of the request, to poll its stage; null if nothing was launched.', 310],
      status: ['Whether it was launched, had been launched today, or why not.'],
      credits: ['Cost of the launch, without the analysed profiles.', 1, 'credits'],
    },
  },
  {
    of: ['MappingStage'],
    fields: {
      persona_id: ['The persona that it is for; null: for every persona.', 3],
      mapping_id: ['The mapping that it makes; null before its first analysed profile.', 4],
      stage: ['How far the mapping is; `completed` and `account_mapping_failed` are the end.'],
    },
  },
  {
    of: ['ContentRequest', 'MappingStage'],
    fields: { failed_reason: ['Reason of the failure; null if it did not fail.'] },
  },
  {
    of: ['ContentRequest'],
    fields: {
      id: ['Id of the request.', 310],
      type: ['Type of the work: find people, or collect posts.'],
      stage: ['How far it is.'],
      company: ['The company that it is about.'],
      inputs: [
        'The input of the request.',
        { persona_id: 3, company_id: 9, source: 'api', identifier: 'acme.com' },
      ],
    },
  },
  {
    of: ['ContentRequestCompany', 'MappedCompany', 'LeadCompany'],
    fields: { id: ['Id of the company.', 9] },
  },
  {
    of: ['ContentRequestPageMeta'],
    fields: { resolved_companies: ['The companies that the filters name; empty without a company filter.'] },
  },
  {
    of: ['ResolvedCompany'],
    fields: {
      matched_by: ['Which filter counted; the same for all of an answer.'],
      identifier: ['The sent value.', 'acme.com'],
    },
  },
  {
    of: FILTERS,
    fields: {
      date_from: ['Only requests made at this time or later; a day begins at 00:00 UTC.'],
      date_to: ['Only requests made at this time or earlier; of a day all of it.'],
      type: ['Only requests of these types.'],
      stage: ['Only requests in these stages; absent: all but completed ones.'],
      company_id: [
        'Only requests about this company. Of the company filters the first of id, handle, page and domain counts.',
        9,
      ],
      company_network_handle: [
        'Only requests about companies with one of these handles; at most 100.',
        ['acme'],
      ],
      company_network_url: [
        'Only requests about companies with one of these pages; at most 100.',
        ['https://www.network.example/company/acme'],
      ],
      company_domain: ['Only requests about companies with one of these domains; at most 100.', ['acme.com']],
    },
  },
];

export const companies: readonly ReferencePart[] = [...known, ...mapping];
