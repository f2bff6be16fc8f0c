import type { Immutable } from '#kernel/events/event.js';
import { Type, type Static } from '#kernel/values/schema.js';
import { unknownMapping } from '#accounts/domain/mappings/mapping.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import {
  companyMappingKey,
  companyMappings,
} from '#projections/accounts/company-mappings/company-mappings.projection.js';
import { mappingProfiles } from '#projections/accounts/mapping-profiles/mapping-profiles.projection.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';
import {
  CompanyMappingView,
  companyMappingOf,
  ProfileView,
  profileView,
} from '#accounts/answers/company-mapping.view.js';
import { mappingFeature } from './mapping-feature.js';

const MappingWithProfiles = Type.Object(
  {
    ...CompanyMappingView.properties,
    profiles: Type.Array(ProfileView),
  },
  { title: 'CompanyMappingWithProfiles' },
);
type MappingAnswer = { readonly data: Immutable<Static<typeof MappingWithProfiles>> };

const params = { mapping_id: idParam(404) };

@Endpoint({
  caller: 'apiKey',
  feature: mappingFeature.feature,
  route: 'GET /api/v2/company-mappings/:mapping_id',
  summary: 'Get a mapping with its people',
  description:
    'People by id. `position_start_date` is the earliest day that the known part of the date allows; ' +
    '`seniority` and `department` are `unspecified` where they are unclear.',
  params,
  response: DataOf(MappingWithProfiles),
  problems: [mappingFeature.problem, unknownMapping],
})
export class GetCompanyMapping extends EndpointQuery<MappingAnswer, { params: typeof params }> {}

handle(GetCompanyMapping, async ({ workspaceId, params }, { readModels }): Promise<MappingAnswer> => {
  const wanted = {
    view: companyMappings,
    key: companyMappingKey(params.mapping_id),
    unknown: unknownMapping,
  };
  const mapping = await ownDocument(readModels, workspaceId, wanted);
  const [view, profiles] = await Promise.all([
    companyMappingOf(readModels, mapping),
    readModels.find(mappingProfiles, {
      where: { workspaceId, mappingId: params.mapping_id },
      sort: [['leadId', 'asc']],
    }),
  ]);
  return { data: { ...view, profiles: profiles.map(profileView) } };
});
