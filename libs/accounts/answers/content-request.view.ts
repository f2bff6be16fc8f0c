import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Id, Nullable, OneOf, Timestamp, Type } from '#kernel/values/schema.js';
import {
  FAILED_REASONS,
  FAILED_STAGES,
  REQUEST_TYPES,
  STAGES_UNDER_WAY,
} from '#accounts/domain/content-requests/content-request.events.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import type { ContentRequestDocument } from '#projections/accounts/content-requests/content-requests.projection.js';

export const REQUEST_STAGES = [
  ...STAGES_UNDER_WAY.account_mapping,
  FAILED_STAGES.account_mapping,
  'completed',
  ...STAGES_UNDER_WAY.top_account_content,
  FAILED_STAGES.top_account_content,
] as const;

const text = Nullable(Type.String());

export const ContentRequestView = Type.Object(
  {
    id: Id,
    type: OneOf(...REQUEST_TYPES),
    stage: OneOf(...REQUEST_STAGES),
    failed_reason: Nullable(OneOf(...FAILED_REASONS)),
    created_at: Timestamp,
    updated_at: Timestamp,
    company: Type.Object(
      { id: Id, name: text, domain: text, network_url: text },
      { title: 'ContentRequestCompany' },
    ),
    /** `persona_id`, `source` and `identifier` only of account_mapping. */
    inputs: Type.Object(
      {
        company_id: Id,
        persona_id: Type.Optional(Nullable(Id)),
        source: Type.Optional(OneOf('api', 'top_account_list')),
        identifier: Type.Optional(text),
      },
      { title: 'ContentRequestInputs' },
    ),
  },
  { title: 'ContentRequest' },
);

/** Requests with what their companies are called now. */
export async function contentRequestViews(
  readModels: ReadModels,
  requests: readonly ContentRequestDocument[],
): Promise<readonly ContentRequestAnswer[]> {
  const keys = new Set(requests.map(({ companyId }) => companyKey(companyId)));
  const named = await readModels.getMany(companies, [...keys]);
  return requests.map((request) =>
    contentRequestView(request, named.get(companyKey(request.companyId)) ?? null),
  );
}

function contentRequestView(request: ContentRequestDocument, company: CompanyDocument | null) {
  const { id, type, stage, failedReason, createdAt, updatedAt, companyId } = request;
  const { name = null, domain = null, network_url = null } = company?.facts ?? {};
  return {
    id,
    type,
    stage,
    failed_reason: failedReason,
    created_at: createdAt,
    updated_at: updatedAt,
    company: { id: companyId, name, domain, network_url },
    inputs: inputsOf(request),
  };
}

function inputsOf({ type, personaId, companyId, source, identifier }: ContentRequestDocument) {
  return type === 'account_mapping'
    ? { persona_id: personaId, company_id: companyId, source, identifier }
    : { company_id: companyId };
}
export type ContentRequestAnswer = ReturnType<typeof contentRequestView>;
