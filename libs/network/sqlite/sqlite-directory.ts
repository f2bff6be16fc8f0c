import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { NetworkEntity, NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { fold } from '#kernel/values/text-folding.js';
import { companyFacts, personFacts } from '../facts.js';
import type { NetworkDirectory, Resolution } from '../network-directory.port.js';
import type { CompanyObservation, Observation, ObservationKind, PersonObservation } from '../observation.js';
import type { KnownEntities } from '../observed-text.js';
import { known, resolution, type Named } from '../resolution.js';
import type { Reader } from './reader.js';

/** Reads of one moment, for the adapters to make their answers of. */
export function sqliteNetworkReads(db: DatabaseSyncInstance, networkBaseUrl: string): KnownEntities {
  const body = db.prepare('SELECT body FROM observation WHERE kind = ? AND ref = ?');
  return {
    company: (ref) => {
      const row = body.get('company', ref) as { readonly body: string } | undefined;
      return row === undefined
        ? null
        : companyFacts(JSON.parse(row.body) as CompanyObservation, networkBaseUrl);
    },
    person: (ref) => {
      const row = body.get('person', ref) as { readonly body: string } | undefined;
      return row === undefined
        ? null
        : personFacts(JSON.parse(row.body) as PersonObservation, networkBaseUrl);
    },
  };
}

/** NetworkDirectory over network.db. */
export function sqliteDirectory(
  db: DatabaseSyncInstance,
  networkBaseUrl: string,
  reads: KnownEntities,
  reader: Reader,
): NetworkDirectory {
  const byIdentifier = db.prepare(
    'SELECT kind, ref FROM identifier WHERE space = ? AND value = ? ORDER BY ref',
  );
  const bodies = db.prepare('SELECT body, previous_body FROM observation WHERE kind = ? AND ref = ?');
  const employees = db.prepare(
    `SELECT body FROM observation INDEXED BY observation_by_subject
     WHERE kind = 'person' AND subject = ? AND ref > ? ORDER BY ref LIMIT ?`,
  );
  const countryCodes = db.prepare('SELECT country_code FROM place WHERE city = ? ORDER BY country_code');

  const stored = (kind: ObservationKind, ref: string): Observation | null => {
    const row = bodies.get(kind, ref) as { readonly body: string } | undefined;
    return row === undefined ? null : (JSON.parse(row.body) as Observation);
  };
  const namedBy = (identifier: NetworkIdentifier): readonly Named[] => {
    const value = identifier.by === 'handle' ? identifier.handle : identifier.domain;
    const rows = byIdentifier.all(identifier.by, value) as readonly Omit<Named, 'observation'>[];
    return rows.map(({ kind, ref }) => ({ kind, ref, observation: () => stored(kind, ref) }));
  };
  const resolve = <Facts>(
    entity: NetworkEntity,
    identifier: NetworkIdentifier,
    facts: (ref: string) => Facts | null,
  ): Resolution<Facts> => resolution(entity, identifier, namedBy(identifier), facts);

  return {
    resolveCompanies: (identifiers) =>
      reader.each(identifiers, (identifier) => resolve('company', identifier, reads.company)),
    resolvePeople: (identifiers) =>
      reader.each(identifiers, (identifier) => resolve('person', identifier, reads.person)),
    companies: async (refs) => known(refs, await reader.each(refs, reads.company)),
    people: async (refs) => known(refs, await reader.each(refs, reads.person)),
    previousPerson: (ref) =>
      reader.once(() => {
        const row = bodies.get('person', ref) as { readonly previous_body: string | null } | undefined;
        const previous = row?.previous_body ?? null;
        return previous === null
          ? null
          : personFacts(JSON.parse(previous) as PersonObservation, networkBaseUrl);
      }),
    employees: (companyRef, afterRef, limit) =>
      reader.once(() => {
        const rows = employees.all(companyRef, afterRef ?? '', limit) as readonly { readonly body: string }[];
        return rows.map(({ body }) => personFacts(JSON.parse(body) as PersonObservation, networkBaseUrl));
      }),
    countryCodesOfCity: (city) =>
      reader.once(() => {
        const rows = countryCodes.all(fold(city)) as readonly { readonly country_code: string }[];
        return rows.map((row) => row.country_code);
      }),
  };
}
