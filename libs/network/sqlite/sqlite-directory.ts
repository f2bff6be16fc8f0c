import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { NetworkEntity, NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import { fold } from '#kernel/values/text-folding.js';
import { companyFacts, personFacts } from '../facts.js';
import type { CompanyFacts, NetworkDirectory, PersonFacts, Resolution } from '../network-directory.port.js';
import type { ReadingOf } from '../network-source.port.js';
import type { CompanyObservation, Observation, ObservationKind, PersonObservation } from '../observation.js';
import { resolution, type Named } from '../resolution.js';
import type { Reader } from './reader.js';
import { READING, readingIn, type ReadingColumns } from './reading-columns.js';

/** Facts of one query: read and parsed within a few milliseconds. */
const AT_ONCE = 100;

/** NetworkDirectory over network.db. */
export function sqliteDirectory(
  db: DatabaseSyncInstance,
  networkBaseUrl: string,
  reader: Reader,
): NetworkDirectory {
  const byIdentifier = db.prepare(
    'SELECT kind, ref FROM identifier WHERE space = ? AND value = ? ORDER BY ref',
  );
  const body = db.prepare('SELECT body FROM observation WHERE kind = ? AND ref = ?');
  const many = db.prepare(
    `SELECT ref, body, ${READING} FROM observation WHERE kind = ? AND ref IN (SELECT value FROM json_each(?))`,
  );
  const employees = db.prepare(
    `SELECT body FROM observation INDEXED BY observation_by_subject
     WHERE kind = 'person' AND subject = ? AND at IS NULL AND ref > ? ORDER BY ref LIMIT ?`,
  );
  const companies = db.prepare(
    `SELECT body FROM observation WHERE kind = 'company' AND ref > ? ORDER BY ref LIMIT ?`,
  );
  const lastReads = db.prepare(
    'SELECT ref, read_at FROM reading WHERE ref IN (SELECT value FROM json_each(?))',
  );
  const learned = db.prepare('SELECT learned FROM learning');
  const countryCodes = db.prepare('SELECT country_code FROM place WHERE city = ? ORDER BY country_code');

  const companyIn = (text: string): CompanyFacts =>
    companyFacts(JSON.parse(text) as CompanyObservation, networkBaseUrl);
  const personIn = (text: string, reading: ReadingOf = null): PersonFacts =>
    personFacts(JSON.parse(text) as PersonObservation, networkBaseUrl, reading);
  const stored = <Result>(
    kind: ObservationKind,
    ref: string,
    read: (text: string) => Result,
  ): Result | null => {
    const row = body.get(kind, ref) as { readonly body: string } | undefined;
    return row === undefined ? null : read(row.body);
  };
  const namedBy = (identifier: NetworkIdentifier): readonly Named[] => {
    const value = identifier.by === 'handle' ? identifier.handle : identifier.domain;
    const rows = byIdentifier.all(identifier.by, value) as readonly Omit<Named, 'observation'>[];
    return rows.map(({ kind, ref }) => ({
      kind,
      ref,
      observation: () => stored(kind, ref, (text) => JSON.parse(text) as Observation),
    }));
  };
  /** Many in one query: a query for each costs twice as much. */
  const factsOf = async <Facts>(
    kind: ObservationKind,
    refs: readonly string[],
    read: (text: string, reading: ReadingOf) => Facts,
  ): Promise<ReadonlyMap<string, Facts>> => {
    const pieces = await reader.each(inPieces([...new Set(refs)], AT_ONCE), (some) => {
      const rows = many.all(kind, JSON.stringify(some)) as readonly (ReadingColumns & {
        readonly ref: string;
        readonly body: string;
      })[];
      return rows.map((row) => [row.ref, read(row.body, readingIn(row))] as const);
    });
    return new Map(pieces.flat());
  };
  const resolve = <Facts>(
    entity: NetworkEntity,
    identifiers: readonly NetworkIdentifier[],
    read: (text: string) => Facts,
  ): Promise<readonly Resolution<Facts>[]> =>
    reader.each(identifiers, (identifier) =>
      resolution(entity, identifier, namedBy(identifier), (ref) => stored(entity, ref, read)),
    );

  return {
    resolveCompanies: (identifiers) => resolve('company', identifiers, companyIn),
    resolvePeople: (identifiers) => resolve('person', identifiers, personIn),
    companies: (refs) => factsOf('company', refs, companyIn),
    people: (refs) => factsOf('person', refs, personIn),
    employees: (companyRef, afterRef, limit) =>
      reader.once(() => {
        const rows = employees.all(companyRef, afterRef ?? '', limit) as readonly { readonly body: string }[];
        return rows.map((row) => personIn(row.body));
      }),
    companiesByRef: (afterRef, limit) =>
      reader.once(() => {
        const rows = companies.all(afterRef ?? '', limit) as readonly { readonly body: string }[];
        return rows.map((row) => companyIn(row.body));
      }),
    lastReads: (refs) =>
      reader.once(() => {
        const rows = lastReads.all(JSON.stringify(refs)) as readonly {
          readonly ref: string;
          readonly read_at: number;
        }[];
        return new Map(rows.map((row) => [row.ref, Number(row.read_at)]));
      }),
    learned: () => reader.once(() => Number(learned.get().learned)),
    countryCodesOfCity: (city) =>
      reader.once(() => {
        const rows = countryCodes.all(fold(city)) as readonly { readonly country_code: string }[];
        return rows.map((row) => row.country_code);
      }),
  };
}
