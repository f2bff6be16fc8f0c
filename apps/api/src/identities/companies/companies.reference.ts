import type { ReferencePart } from '#http/reference.js';

const IDENTIFIED = ['Company', 'LeadCompany'];

/** Companies as they are known, and their pipelines. */
export const companies: readonly ReferencePart[] = [
  {
    of: [...IDENTIFIED, 'MappedCompany', 'ContentRequestCompany', 'TopAccountCompany', 'NamedThing'],
    fields: { name: ['Name; null when unknown.', 'Acme'] },
  },
  {
    of: IDENTIFIED,
    fields: {
      activity_summary: ['Description of the company; null when unknown.', 'Makes software for logistics'],
      employee_range: ['Size of the company as a range; null when unknown.', '51-200'],
      location: ['Headquarters as text; null when unknown.', 'Paris, France'],
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
      pipeline_configs: ['Configuration of its background work; empty: default.'],
    },
  },
  {
    of: ['PipelineConfig', 'PipelineConfigBody'],
    fields: {
      pipeline_type: [
        'Which background work: account_mapping, top_account_content, signal_detection; others may be added.',
        'account_mapping',
      ],
      configuration: ['The configuration; `disabled` stops the work for the company.', 'disabled'],
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
];
