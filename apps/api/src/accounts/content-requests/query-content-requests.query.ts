import { IsOptional } from 'class-validator';
import type { Faults } from '#kernel/values/faults.js';
import { REQUEST_TYPES } from '#accounts/domain/content-requests/content-request.events.js';
import { IsAnyJson } from '#http/body.js';
import { REQUEST_STAGES } from '#accounts/answers/content-request.view.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DATE_OR_DATE_TIME, type JsonSchema } from '#http/parameters.js';
import { invalidRequest } from '#http/problem.js';
import { handle } from '../../handle.js';
import { filtersOfBody, IDENTIFIER_LIMITS, noCompanyResolved, periodOf } from './content-request-filters.js';
import { ContentRequestPage, contentRequestPage } from './list-content-requests.query.js';

const someOf = (item: JsonSchema): JsonSchema => ({
  anyOf: [item, { type: 'array', minItems: 1, items: item }],
});
const words = (values: readonly string[]): JsonSchema => someOf({ type: 'string', enum: values });
const { count, maximum } = IDENTIFIER_LIMITS;
const identifier = { type: 'string', pattern: '\\S' };
/** One, several separated by commas, or an array. */
const identifiers: JsonSchema = {
  anyOf: [
    { ...identifier, maxLength: count * (maximum + 1) },
    { type: 'array', minItems: 1, maxItems: count, items: { ...identifier, maxLength: maximum } },
  ],
};

/** The filters of the GET with the same names, validated by the same function. */
export class QueryContentRequestsBody {
  @IsOptional()
  @IsAnyJson({ type: 'integer', minimum: 1, default: 1 })
  page?: unknown;

  @IsOptional()
  @IsAnyJson({ type: 'integer', minimum: 1, maximum: 100, default: 25 })
  page_size?: unknown;

  @IsOptional()
  @IsAnyJson(DATE_OR_DATE_TIME)
  date_from?: unknown;

  @IsOptional()
  @IsAnyJson(DATE_OR_DATE_TIME)
  date_to?: unknown;

  @IsOptional()
  @IsAnyJson(words(REQUEST_TYPES))
  type?: unknown;

  @IsOptional()
  @IsAnyJson(words(REQUEST_STAGES))
  stage?: unknown;

  @IsOptional()
  @IsAnyJson({ type: 'integer', minimum: 1 })
  company_id?: unknown;

  @IsOptional()
  @IsAnyJson(identifiers)
  company_network_handle?: unknown;

  @IsOptional()
  @IsAnyJson(identifiers)
  company_network_url?: unknown;

  @IsOptional()
  @IsAnyJson(identifiers)
  company_domain?: unknown;
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/content-requests/query',
  summary: 'List the background work on companies, by filters in the body',
  description: 'The filters of the list, as single values or arrays, and the same answer.',
  body: QueryContentRequestsBody,
  invalidBody: 400,
  readsOnly: true,
  response: ContentRequestPage,
  problems: [noCompanyResolved],
})
export class QueryContentRequests extends EndpointQuery<
  ContentRequestPage,
  { body: QueryContentRequestsBody }
> {}

handle(QueryContentRequests, async ({ workspaceId, body }, ports) => {
  const faults: Faults = new Map();
  const filters = filtersOfBody(body, faults);
  const period = periodOf(filters, faults);
  if (faults.size > 0) throw invalidRequest('body', 400, faults);
  return contentRequestPage(ports, workspaceId, filters, period);
});
