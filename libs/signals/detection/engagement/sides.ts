import type { Author, ObservedInteraction, Whose } from '#network/network-source.port.js';
import type { Watched } from '#signals/detection/watched.js';

export type KnownPerson = Extract<Author, { readonly entity: 'person' }>;

/** The tracked side and the other side, by the current knowledge of the network. */
export type Sides = { readonly tracked: Author; readonly other: KnownPerson };

/**
 * Inbound: the other side acts on a post of the tracked side. Outbound: the tracked side acts on a post of the other
 * (D-29). null: one side is unknown, or the other side is no person.
 */
export function sidesOf(
  direction: 'inbound' | 'outbound',
  { actor, post }: Pick<ObservedInteraction, 'actor'> & { readonly post: { readonly author: Author | null } },
): Sides | null {
  const [tracked, other] = direction === 'inbound' ? [post.author, actor] : [actor, post.author];
  return tracked === null || other?.entity !== 'person' ? null : { tracked, other };
}

/** Whether the other side is external (D-17). `mayBeOfListed` allows it to work for a listed company. */
export type External = (sides: Sides, mayBeOfListed?: boolean) => boolean;

/** With an unknown fact a person counts neither as a colleague nor as listed (D-11). */
export async function externalTo(
  { colleagues }: Pick<Watched, 'colleagues'>,
  listed: Whose,
): Promise<External> {
  const [people, companies] = [new Set(listed.personRefs), new Set(listed.companyRefs)];
  const own = await colleagues();
  return ({ tracked, other: { person, company } }, mayBeOfListed = false) => {
    const employer = company?.ref ?? null;
    if (person.ref === refOf(tracked) || people.has(person.ref) || own.has(person.ref)) return false;
    if (employer === null) return true;
    return employer !== tracked.company?.ref && (mayBeOfListed || !companies.has(employer));
  };
}

const refOf = (side: Author): string => (side.entity === 'person' ? side.person.ref : side.company.ref);

/** Whether the other side works for one of these companies. */
export function worksFor(companyRefs: readonly string[]): (sides: Sides) => boolean {
  const companies = new Set(companyRefs);
  return ({ other: { company } }) => company !== null && companies.has(company.ref);
}
