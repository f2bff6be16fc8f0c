import type { ReferencePart } from '#http/reference.js';

/** Parameters that occur only in a path or a query. */
const parameters: ReferencePart = {
  fields: {
    '{id}': ['Id of the requested object.', 12],
    '{kind}': ['Kind of the list: companies, or people (`profile`).'],
    '{slug}': ['Name of the problem type: the end of `type` in a problem document of v2.'],
    '?date_from': ['Only what was made at this time or later.'],
    '?date_to': ['Only what was made before this time; of content requests: at it too.'],
    '?from': ['Begin of the period, inclusive; a day begins at 00:00 UTC. Absent: from the first entry.'],
    '?to': ['End of the period, exclusive; a day begins at 00:00 UTC. Absent: to the last entry.'],
    '?revision': ['The statement as of this revision of the ledger; default: now.', 15, 'place'],
    '?include_archived': ['Whether archived lists are listed too.'],
    '?include_coming_soon': ['Whether coming-soon templates are listed, too.'],
    '?response_format': [
      '`concise`: ids and identifiers only; `normalized` and `detailed` are the same, everything.',
    ],
    '?q': ['Part of a name, of a handle or, of people, of the company they work for, in any case.', 'acme'],
    '?signal_buckets': ['Only members that are monitored (`essential`) or are not (`none`).'],
    '?monitoring_status': ['Only accounts with one of these statuses.'],
    '?type': ['Only requests of these types.'],
    '?stage': ['Only requests in these stages; absent: all but completed ones.'],
    '?company_domain': ['Only requests about companies with one of these domains.', ['acme.com']],
    '?company_network_handle': ['Only requests about companies with one of these handles.', ['acme']],
    '?company_network_url': [
      'Only requests about companies with one of these pages.',
      ['https://www.network.example/company/acme'],
    ],
    '?company_id': ['Only items about this company.', 9],
    '?lead_id': ['Only items about this lead.', 77],
    '?signal_id': [
      'Only the charge that paid for this signal, possibly together with others; none if it was free.',
      501,
    ],
    '?agent_id': ['Only charges of this agent.', 7],
    '?signal_setup_id': ['Only charges of this signal setup.', 31],
    '?signal_run_id': ['Only charges of this run.', 91],
    '?launch_id': ['Only charges of the runs of this launch.', 5],
    '?persona_id': ['Only items of this business unit; for accounts also unassigned ones.', 3],
  },
};

/** Answers about the service itself. */
const answers: readonly ReferencePart[] = [
  { of: ['Liveness'], fields: { status: ['The process runs.'] } },
  {
    of: ['ServiceReadiness'],
    fields: {
      status: ['The process can serve.'],
      degraded: ['Degraded parts that do not affect readiness.', ['detections: 3 s behind']],
      stores: ['Each store and its kind.', ['event store: SQLite']],
      log: [
        'The identity of the log of events that the process reads.',
        'bd25c83b-a977-4097-9dc3-e2d3052a8e4b',
      ],
    },
  },
  {
    of: ['Start'],
    fields: {
      docs: ['Path of the page about this API.', '/docs'],
      openapi: ['Path of the OpenAPI document.', '/openapi.json'],
    },
  },
  {
    of: ['ProblemType'],
    fields: {
      slug: ['Name of the problem type.', 'not-found'],
      title: ['Its title in problem documents.', 'Not Found'],
      meaning: ['Its meaning for the caller.', 'There is no such path.'],
    },
  },
  {
    of: ['OpenApiDocument'],
    fields: {
      openapi: ['Version of OpenAPI.', '3.1.0'],
      info: ['About this API.', { title: 'Workspace Signal Detection API' }],
      paths: ['Its operations by path and method.', {}],
      components: ['What they have in common.', {}],
    },
  },
];

export const service: readonly ReferencePart[] = [parameters, ...answers];
