import type { ReferencePart } from '#http/reference.js';

const FILTERS = ['QueryContentRequestsBody'];

/** The background work on companies. */
export const contentRequests: readonly ReferencePart[] = [
  {
    of: ['ContentRequest', 'MappingStage'],
    fields: { failed_reason: ['Reason of the failure; null if it did not fail.'] },
  },
  {
    of: ['ContentRequest'],
    fields: {
      id: ['Id of the request.', 310],
      type: ['Type of the work: find people, or collect posts.'],
      stage: ['Stage of the request.'],
      company: ['The company that it is about.'],
      inputs: [
        'The input of the request.',
        { persona_id: 3, company_id: 9, source: 'api', identifier: 'acme.com' },
      ],
    },
  },
  {
    of: ['ContentRequestInputs'],
    fields: {
      persona_id: [
        'The persona whose employees are looked for; null: of every persona. Of account_mapping only.',
        3,
      ],
      source: [
        'Why it was made: by a request to this API, or for the top account list. Of account_mapping only.',
      ],
      identifier: [
        'The sent identifier of the company; null without one. Of account_mapping only.',
        'acme.com',
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
