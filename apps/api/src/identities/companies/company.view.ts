import { CompanyResource } from '#identities/domain/companies/company-facts.js';
import type { Immutable } from '#kernel/events/event.js';
import { Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import type { CompanyDocument } from '#projections/identities/companies/companies.projection.js';

const Count = Nullable(Type.Integer({ minimum: 0 }));

/** The Company resource, as both of its routes answer it: the object itself, without a wrapper. */
export const CompanyView = Type.Object(
  {
    ...CompanyResource.properties,
    number_of_employees: Count,
    founded_year: Count,
    observed_at: Nullable(Timestamp),
    pipeline_configs: Type.Array(
      Type.Object(
        { pipeline_type: Type.String(), configuration: Type.String() },
        { title: 'PipelineConfig' },
      ),
    ),
  },
  { title: 'Company' },
);
export type CompanyView = Immutable<Static<typeof CompanyView>>;

export const companyView = (
  { facts, pipelineConfigs }: CompanyDocument,
  observedAt: string | null,
): CompanyView => ({
  ...facts,
  observed_at: observedAt,
  pipeline_configs: pipelineConfigs,
});
