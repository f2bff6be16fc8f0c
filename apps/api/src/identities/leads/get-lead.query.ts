import type { Immutable } from '#kernel/events/event.js';
import { refusal } from '#kernel/values/refusal.js';
import { Id, Nullable, Type, type Static } from '#kernel/values/schema.js';
import { CompanyResource } from '#identities/domain/companies/company-facts.js';
import { LeadFacts } from '#identities/domain/leads/lead-facts.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import { leadKey, leads } from '#projections/identities/leads/leads.projection.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';

const unknownLead = refusal({
  code: 'unknown-lead',
  kind: 'missing',
  detail: 'There is no lead with this id in the workspace.',
});

const LeadCompany = Type.Object(
  {
    id: Id,
    ...Type.Pick(CompanyResource, [
      'name',
      'domain',
      'network_url',
      'network_handle',
      'activity_summary',
      'employee_range',
      'location',
    ]).properties,
    is_top_account: Type.Boolean(),
  },
  { title: 'LeadCompany' },
);
const { experiences, ...profile } = LeadFacts.properties;
const LeadView = Type.Object(
  { id: Id, ...profile, company: Nullable(LeadCompany), experiences },
  { title: 'Lead' },
);
const LeadAnswer = DataOf(LeadView);
type LeadView = Immutable<Static<typeof LeadView>>;
type LeadAnswer = { readonly data: LeadView };

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/leads/:id',
  summary: 'Get a lead that a signal refers to',
  description:
    'The person behind the `lead_id` of a detection, with the company that they work for and their positions. ' +
    'Unknown values are null.',
  params,
  response: LeadAnswer,
  problems: [unknownLead],
})
export class GetLead extends EndpointQuery<LeadAnswer, { params: typeof params }> {}

handle(GetLead, async ({ workspaceId, params }, { readModels }): Promise<LeadAnswer> => {
  const wanted = { view: leads, key: leadKey(params.id), unknown: unknownLead };
  const lead = await ownDocument(readModels, workspaceId, wanted);
  const company =
    lead.companyId === null ? null : await readModels.get(companies, companyKey(lead.companyId));
  return { data: { id: lead.id, ...lead.facts, company: company && leadCompany(company) } };
});

const leadCompany = ({ id, facts, isTopAccount }: CompanyDocument): LeadView['company'] => ({
  id,
  name: facts.name,
  domain: facts.domain,
  network_url: facts.network_url,
  network_handle: facts.network_handle,
  activity_summary: facts.activity_summary,
  employee_range: facts.employee_range,
  location: facts.location,
  is_top_account: isTopAccount === true,
});
