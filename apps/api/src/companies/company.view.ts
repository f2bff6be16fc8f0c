import { CompanyFacts } from '#domain/companies/company-facts.js';
import type { Immutable } from '#kernel/events/event.js';
import { Type, type Static } from '#kernel/values/schema.js';
import type { CompanyDocument } from '#projections/companies/companies.projection.js';

/** The Company resource, as both of its routes answer it: the object itself, without a wrapper. */
export const CompanyView = Type.Object({
  ...CompanyFacts.properties,
  pipeline_configs: Type.Array(Type.Object({ pipeline_type: Type.String(), configuration: Type.String() })),
});
export type CompanyView = Immutable<Static<typeof CompanyView>>;

export const companyView = ({ facts, pipelineConfigs }: CompanyDocument): CompanyView => ({
  ...facts,
  pipeline_configs: pipelineConfigs,
});
