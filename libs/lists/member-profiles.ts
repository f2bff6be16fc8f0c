import type { LookedUpMember } from './domain/lists/list-enrichment.js';
import { keptOf } from './domain/lists/member-admission.js';
import type { MemberNamed, MemberProfile } from './domain/lists/member.events.js';
import { bounded, boundedUrl } from '#kernel/values/bounded-text.js';
import type { CompanyFacts, NetworkDirectory, PersonFacts } from '#network/network-directory.port.js';
import { isMade } from '#network/resolution.js';
import type { ListMemberDocument } from '#projections/lists/list-members/list-members.projection.js';

const NAME_LENGTH = 255;

type UnnamedMember = Pick<ListMemberDocument, 'id' | 'network_handle' | 'domain'>;

/** The names of these companies on the network, one answer for each, in their order; null: none was observed. */
export async function lookUpNames(
  directory: NetworkDirectory,
  members: readonly UnnamedMember[],
): Promise<readonly (MemberNamed | null)[]> {
  if (members.length === 0) return [];
  const resolutions = await directory.resolveCompanies(
    members.map(({ network_handle: handle, domain }) =>
      handle === null ? { by: 'domain', domain: domain ?? '' } : { by: 'handle', handle, entity: 'company' },
    ),
  );
  return members.map((member, index) => {
    const resolution = resolutions[index];
    if (resolution?.outcome !== 'found' || isMade(resolution.facts.ref)) return null;
    const { name, logoUrl } = keptOf(resolution.facts);
    return name === null
      ? null
      : { memberId: member.id, name, logoUrl, ...newIdentifiers(member, resolution.facts) };
  });
}

/** The identifiers of the company on the network that the member does not show yet. */
function newIdentifiers(
  member: UnnamedMember,
  { handle, networkUrl, domains: [domain] }: CompanyFacts,
): Pick<MemberNamed, 'handle' | 'networkUrl' | 'domain'> {
  return {
    ...(member.network_handle === null && handle !== null ? { handle, networkUrl } : {}),
    ...(member.domain === null && domain !== undefined ? { domain } : {}),
  };
}

/** The current profiles of these people on the network, one answer for each, in their order. */
export async function lookUpProfiles(
  directory: NetworkDirectory,
  members: readonly { readonly memberId: number; readonly handle: string }[],
): Promise<readonly LookedUpMember[]> {
  const resolutions = await directory.resolvePeople(
    members.map(({ handle }) => ({ by: 'handle', handle, entity: 'person' })),
  );
  const people = resolutions.map((resolution) => (resolution.outcome === 'found' ? resolution.facts : null));
  const employerRefs = people.flatMap((person) => person?.current?.companyRef ?? []);
  const employers = await directory.companies([...new Set(employerRefs)]);
  return members.map(({ memberId }, index) => {
    const person = people[index] ?? null;
    if (person !== null) return { memberId, profile: profileOf(person, employers) };
    return { memberId, profile: null, unheardOf: resolutions[index]?.outcome === 'unknown' };
  });
}

function profileOf(person: PersonFacts, employers: ReadonlyMap<string, CompanyFacts>): MemberProfile {
  const { current } = person;
  const employer = employers.get(current?.companyRef ?? '');
  return {
    firstName: bounded(person.firstName, NAME_LENGTH),
    lastName: bounded(person.lastName, NAME_LENGTH),
    avatarUrl: boundedUrl(person.avatarUrl),
    position: bounded(current?.title ?? null),
    headline: bounded(person.headline),
    currentCompany:
      current === null
        ? null
        : {
            name: bounded(employer?.name ?? current.companyName, NAME_LENGTH),
            logoUrl: boundedUrl(employer?.logoUrl ?? null),
          },
  };
}
