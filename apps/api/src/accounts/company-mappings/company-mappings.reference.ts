import type { ReferencePart } from '#http/reference.js';

const MAPPINGS = ['CompanyMapping', 'CompanyMappingWithProfiles'];

/** Finding out who works at a company. */
export const companyMappings: readonly ReferencePart[] = [
  {
    of: MAPPINGS,
    fields: {
      id: ['Id of the mapping.', 4],
      request_date: ['Day (UTC) of the request; null when unknown.'],
      version: ['Version, counted from 1; null while the mapping is in progress.', 1, 'versions'],
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
      stage: ['Stage of that request.'],
      launches: ['The outcome for each persona.'],
    },
  },
  {
    of: ['EnrichmentLaunch'],
    fields: {
      request_id: ['Id of the request, to poll its stage; null if nothing was launched.', 310],
      status: ['Whether it was launched, was already launched today, or why it was skipped.'],
      credits: ['Cost of the launch, without the analysed profiles.', 1, 'credits'],
    },
  },
  {
    of: ['MappingStage'],
    fields: {
      persona_id: ['The persona that it is for; null: for every persona.', 3],
      mapping_id: ['The mapping that the request creates; null before its first analysed profile.', 4],
      stage: ['Stage of the mapping; `completed` and `account_mapping_failed` are terminal.'],
    },
  },
];
