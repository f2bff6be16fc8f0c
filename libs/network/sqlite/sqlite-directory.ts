import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { NetworkEntity, NetworkIdentifier } from '#kernel/network-identifiers.js';
import { fold } from '#kernel/text-folding.js';
import { companyFacts, personFacts } from '../facts.js';
import type { CompanyFacts, NetworkDirectory, PersonFacts, Resolution } from '../network-directory.port.js';
import type {
  AliasObservation,
  CompanyObservation,
  MissingObservation,
  ObservationKind,
  PersonObservation,
} from '../observation.js';
import type { Reader } from './reader.js';

/** Reads of one moment, for the adapters to make their answers of. */
export type SqliteNetworkReads = {
  readonly company: (ref: string) => CompanyFacts | null;
  readonly person: (ref: string) => PersonFacts | null;
};

type Named = { readonly kind: ObservationKind; readonly ref: string };

const UNKNOWN = { outcome: 'unknown' } as const;
const MISSING = { outcome: 'missing' } as const;

export function sqliteNetworkReads(db: DatabaseSyncInstance, networkBaseUrl: string): SqliteNetworkReads {
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
  reads: SqliteNetworkReads,
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

  const stored = <Kind>(kind: ObservationKind, ref: string): Kind | null => {
    const row = bodies.get(kind, ref) as { readonly body: string } | undefined;
    return row === undefined ? null : (JSON.parse(row.body) as Kind);
  };
  const isMissing = (named: readonly Named[], entity: NetworkEntity): boolean =>
    named.some(({ kind, ref }) => {
      if (kind !== 'missing') return false;
      const missing = stored<MissingObservation>('missing', ref);
      return missing !== null && (missing.entity === null || missing.entity === entity);
    });
  const refsOf = (named: readonly Named[], entity: NetworkEntity): readonly string[] => {
    const own = named.filter(({ kind }) => kind === entity).map(({ ref }) => ref);
    const shared = named
      .filter(({ kind }) => kind === 'alias' && entity === 'company')
      .flatMap(({ ref }) => stored<AliasObservation>('alias', ref)?.companyRefs ?? []);
    return [...new Set([...own, ...shared])].sort();
  };

  const resolve = <Facts>(
    entity: NetworkEntity,
    identifier: NetworkIdentifier,
    facts: (ref: string) => Facts | null,
  ): Resolution<Facts> => {
    const other = entity === 'company' ? 'person' : 'company';
    const wrongKind = { outcome: 'wrong_kind', actual: other } as const;
    if (identifier.by === 'handle' && identifier.entity === other) return wrongKind;
    if (identifier.by === 'domain' && entity === 'person') return wrongKind;
    const value = identifier.by === 'handle' ? identifier.handle : identifier.domain;
    const named = byIdentifier.all(identifier.by, value) as readonly Named[];
    const refs = refsOf(named, entity);
    const [ref] = refs;
    if (ref !== undefined && refs.length > 1) return { outcome: 'ambiguous', refs };
    const found = ref === undefined ? null : facts(ref);
    if (found !== null) return { outcome: 'found', facts: found };
    if (isMissing(named, entity) || isReserved(identifier)) return MISSING;
    const bare = identifier.by === 'handle' && identifier.entity === null;
    return bare && named.some(({ kind }) => kind === other) ? wrongKind : UNKNOWN;
  };

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

/** Names that stand for nothing, so that failures can be tried without ingested data (OP-10). */
function isReserved(identifier: NetworkIdentifier): boolean {
  return identifier.by === 'domain'
    ? identifier.domain.endsWith('.invalid')
    : identifier.handle.startsWith('missing-');
}

function known<Facts>(refs: readonly string[], facts: readonly (Facts | null)[]): ReadonlyMap<string, Facts> {
  const found = new Map<string, Facts>();
  refs.forEach((ref, index) => {
    const one = facts[index] ?? null;
    if (one !== null) found.set(ref, one);
  });
  return found;
}
