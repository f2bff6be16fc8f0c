import type { LookedUpMember } from './domain/lists/list-enrichment.js';
import type { MemberProfile } from './domain/lists/member.events.js';
import { capped, shortUrl } from '#identities/observed-facts.js';
import type { CompanyFacts, NetworkDirectory, PersonFacts } from '#network/network-directory.port.js';

const NAME_LENGTH = 255;

/** What the network has of these people now, one answer for each, in their order. */
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
    firstName: capped(person.firstName, NAME_LENGTH),
    lastName: capped(person.lastName, NAME_LENGTH),
    avatarUrl: shortUrl(person.avatarUrl),
    position: capped(current?.title ?? null),
    headline: capped(person.headline),
    currentCompany:
      current === null
        ? null
        : {
            name: capped(employer?.name ?? current.companyName, NAME_LENGTH),
            logoUrl: shortUrl(employer?.logoUrl ?? null),
          },
  };
}
