import { parseInstant } from '#kernel/values/instants.js';
import { bounded, boundedUrl, TEXT_LENGTH } from '#kernel/values/bounded-text.js';
import type { MappedProfile } from '#accounts/domain/mappings/mapping.events.js';
import type { PersonFacts } from '#network/network-directory.port.js';

/** The value of unclear facts about a person's work (MAP-43). */
const UNCLEAR = 'unspecified';
const WORD_LENGTH = 200;

/** A person as a mapping stores it. */
export function mappedProfile(person: PersonFacts, leadId: number, movementId: number | null): MappedProfile {
  const { geo, current } = person;
  return {
    personRef: person.ref,
    leadId,
    movementId,
    networkUrl: person.networkUrl,
    avatarUrl: boundedUrl(person.avatarUrl),
    about: bounded(person.about, TEXT_LENGTH),
    position: bounded(current?.title ?? null),
    positionStartDate: firstDayOf(current?.startDate ?? null),
    firstName: bounded(person.firstName),
    lastName: bounded(person.lastName),
    email: bounded(person.email),
    phoneNumber: bounded(person.phone),
    headline: bounded(person.headline),
    location:
      geo === null
        ? null
        : { city: bounded(geo.city), region: bounded(geo.region), country: bounded(geo.country) },
    seniority: bounded(current?.seniority ?? null, WORD_LENGTH) ?? UNCLEAR,
    department: bounded(current?.department ?? null, WORD_LENGTH) ?? UNCLEAR,
  };
}

/** The first day of a date on the network: `2024`, `2024-03` or `2024-03-01`; null for anything else. */
export function firstDayOf(date: string | null): string | null {
  if (date === null) return null;
  const day = `${date}${/^\d{4}$/.test(date) ? '-01' : ''}${/^\d{4}(-\d{2})?$/.test(date) ? '-01' : ''}`;
  return parseInstant(day)?.dateOnly === true ? day : null;
}
