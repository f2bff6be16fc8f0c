import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { FAILED_REASONS } from '#accounts/domain/content-requests/content-request.events.js';
import { unknownContentRequest } from '#accounts/domain/content-requests/content-request.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { idParam } from '#http/parameters.js';
import {
  contentRequestKey,
  contentRequests,
} from '#projections/accounts/content-requests/content-requests.projection.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';
import { MAPPING_STAGES } from './mapping-stages.js';
import { mappingFeature } from './mapping-feature.js';

const MappingStage = Type.Object(
  {
    request_id: Id,
    stage: OneOf(...MAPPING_STAGES),
    failed_reason: Nullable(OneOf(...FAILED_REASONS)),
    company_id: Id,
    persona_id: Nullable(Id),
    mapping_id: Nullable(Id),
    updated_at: Timestamp,
  },
  { title: 'MappingStage' },
);
type MappingStage = Static<typeof MappingStage>;

const params = { request_id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  feature: mappingFeature.feature,
  route: 'GET /api/v2/account-mapping/:request_id/stage',
  summary: 'Poll the mapping of a company',
  description:
    'When the stage is `completed` or `account_mapping_failed`, all results and charges can be read and the ' +
    'stage never changes. `mapping_id` is null before its first analysed profile.',
  params,
  response: MappingStage,
  isRunning: ({ stage }) => stage !== 'completed' && stage !== 'account_mapping_failed',
  problems: [mappingFeature.problem, unknownContentRequest],
})
export class GetMappingStage extends EndpointQuery<MappingStage, { params: typeof params }> {}

handle(GetMappingStage, async ({ workspaceId, params }, { readModels }): Promise<MappingStage> => {
  const unknown = unknownContentRequest;
  const wanted = { view: contentRequests, key: contentRequestKey(params.request_id), unknown };
  const request = await ownDocument(readModels, workspaceId, wanted);
  const stage = MAPPING_STAGES.find((known) => known === request.stage);
  // A request of another pipeline is no mapping.
  if (request.type !== 'account_mapping' || stage === undefined) throw unknown();
  return {
    request_id: request.id,
    stage,
    failed_reason: request.failedReason,
    company_id: request.companyId,
    persona_id: request.personaId,
    mapping_id: request.mappingId,
    updated_at: request.updatedAt,
  };
});
