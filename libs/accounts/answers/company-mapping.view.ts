import type { Immutable } from '#kernel/events/event.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Day, Id, Nullable, OneOf, Type, type Static } from '#kernel/values/schema.js';
import {
  companies,
  companyKey,
  type CompanyDocument,
} from '#projections/identities/companies/companies.projection.js';
import type { CompanyMappingDocument } from '#projections/accounts/company-mappings/company-mappings.projection.js';
import type { MappingProfileDocument } from '#projections/accounts/mapping-profiles/mapping-profiles.projection.js';

const text = Nullable(Type.String());

export const CompanyMappingView = Type.Object(
  {
    id: Id,
    request_date: Nullable(Day),
    version: Nullable(Type.Integer({ minimum: 1 })),
    status: Nullable(OneOf('in_progress', 'complete')),
    company: Nullable(Type.Object({ id: Id, name: text, domain: text }, { title: 'MappedCompany' })),
    /** Null: the mapping is for every persona. */
    persona_id: Nullable(Id),
  },
  { title: 'CompanyMapping' },
);
export type CompanyMappingView = Immutable<Static<typeof CompanyMappingView>>;

export const ProfileView = Type.Object(
  {
    id: Id,
    network_url: text,
    avatar_url: text,
    network_about: text,
    position: text,
    position_start_date: Nullable(Day),
    first_name: text,
    last_name: text,
    email: text,
    phone_number: text,
    network_headline: text,
    location: Nullable(
      Type.Object({ city: text, region: text, country: text }, { title: 'ProfileLocation' }),
    ),
    seniority: Type.String(),
    department: Type.String(),
  },
  { title: 'MappedProfile' },
);
type ProfileView = Immutable<Static<typeof ProfileView>>;

/** Mappings with what their companies are called now. */
export async function companyMappingViews(
  readModels: ReadModels,
  mappings: readonly CompanyMappingDocument[],
): Promise<readonly CompanyMappingView[]> {
  const keyOf = ({ companyId }: CompanyMappingDocument) =>
    companyId === null ? [] : [companyKey(companyId)];
  const named = await readModels.getMany(companies, [...new Set(mappings.flatMap(keyOf))]);
  return mappings.map((mapping) => {
    const [key = ''] = keyOf(mapping);
    return companyMappingView(mapping, named.get(key) ?? null);
  });
}

/** One mapping with what its company is called now. */
export async function companyMappingOf(
  readModels: ReadModels,
  mapping: CompanyMappingDocument,
): Promise<CompanyMappingView> {
  const { companyId } = mapping;
  const company = companyId === null ? null : await readModels.get(companies, companyKey(companyId));
  return companyMappingView(mapping, company);
}

const companyMappingView = (
  { id, requestDate, version, status, personaId }: CompanyMappingDocument,
  company: CompanyDocument | null,
): CompanyMappingView => ({
  id,
  request_date: requestDate,
  version,
  status,
  company: company && { id: company.id, name: company.facts.name, domain: company.facts.domain },
  persona_id: personaId,
});

export const profileView = (profile: MappingProfileDocument): ProfileView => ({
  id: profile.leadId,
  network_url: profile.networkUrl,
  avatar_url: profile.avatarUrl,
  network_about: profile.about,
  position: profile.position,
  position_start_date: profile.positionStartDate,
  first_name: profile.firstName,
  last_name: profile.lastName,
  email: profile.email,
  phone_number: profile.phoneNumber,
  network_headline: profile.headline,
  location: profile.location,
  seniority: profile.seniority,
  department: profile.department,
});
