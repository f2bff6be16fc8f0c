import type { Db } from 'mongodb';
import type { NetworkEntity, NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { fold } from '#kernel/values/text-folding.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { together } from '#mongodb/together.js';
import { companyFacts, personFacts } from '../facts.js';
import type { CompanyFacts, NetworkDirectory, PersonFacts, Resolution } from '../network-directory.port.js';
import type { ReadingOf } from '../network-source.port.js';
import type { CompanyObservation, Observation, PersonObservation } from '../observation.js';
import { refsNamed, resolution, type Named } from '../resolution.js';
import { learningIn, observationsIn, placesIn, readingsIn } from './network-collections.js';
import { idsOfKind, nameOf, observationId } from './observation-document.js';

/** Facts of many at once, by ref; unknown ones are left out. */
export type MongoNetworkReads = {
  readonly companies: (db: Db, refs: readonly string[]) => Promise<ReadonlyMap<string, CompanyFacts>>;
  readonly people: (db: Db, refs: readonly string[]) => Promise<ReadonlyMap<string, PersonFacts>>;
};

/** Names or refs in one query. */
const AT_ONCE = 1_000;

export function mongoNetworkReads(networkBaseUrl: string): MongoNetworkReads {
  const facts = async <Facts>(
    db: Db,
    entity: NetworkEntity,
    refs: readonly string[],
    read: (body: string, reading: ReadingOf) => Facts,
  ): Promise<ReadonlyMap<string, Facts>> => {
    const found = new Map<string, Facts>();
    for (const some of slices([...new Set(refs)])) {
      const stored = observationsIn(db).find(
        { _id: { $in: some.map((ref) => observationId(entity, ref)) } },
        { projection: { ref: 1, body: 1, source: 1 } },
      );
      for await (const { ref, body, source } of stored) found.set(ref, read(body, source ?? null));
    }
    return found;
  };
  return {
    companies: (db, refs) =>
      facts(db, 'company', refs, (body) =>
        companyFacts(JSON.parse(body) as CompanyObservation, networkBaseUrl),
      ),
    people: (db, refs) =>
      facts(db, 'person', refs, (body, reading) =>
        personFacts(JSON.parse(body) as PersonObservation, networkBaseUrl, reading),
      ),
  };
}

/** NetworkDirectory over a MongoDB: a few queries for any number of identifiers. */
export function mongoDirectory(
  { read }: MongoDatabase,
  networkBaseUrl: string,
  reads: MongoNetworkReads,
): NetworkDirectory {
  const resolve = <Facts>(
    entity: NetworkEntity,
    identifiers: readonly NetworkIdentifier[],
    factsOf: (db: Db, refs: readonly string[]) => Promise<ReadonlyMap<string, Facts>>,
  ): Promise<readonly Resolution<Facts>[]> =>
    read(async (db) => {
      const named = await namesakes(db, identifiers.map(nameOfIdentifier));
      const of = (identifier: NetworkIdentifier): readonly Named[] =>
        named.get(nameOfIdentifier(identifier)) ?? [];
      const single = identifiers.map((identifier) => refsNamed(of(identifier), entity)).filter(isOne);
      const facts = await factsOf(db, single.flat());
      return identifiers.map((identifier) =>
        resolution(entity, identifier, of(identifier), (ref) => facts.get(ref) ?? null),
      );
    });

  /** Every follower of the process asks at every heartbeat. */
  const learned = together((all: readonly null[]) =>
    read(async (db) => {
      const counted = (await learningIn(db).findOne({ _id: 'learning' }))?.learned ?? 0;
      return all.map(() => counted);
    }),
  );

  return {
    resolveCompanies: (identifiers) => resolve('company', identifiers, reads.companies),
    resolvePeople: (identifiers) => resolve('person', identifiers, reads.people),
    companies: (refs) => read((db) => reads.companies(db, refs)),
    people: (refs) => read((db) => reads.people(db, refs)),
    employees: (companyRef, afterRef, limit) =>
      read(async (db) => {
        if (limit <= 0) return [];
        const found = await observationsIn(db)
          .find(
            { 'work.companyRef': companyRef, 'work.ref': { $gt: afterRef ?? '' } },
            { projection: { body: 1 } },
          )
          .sort({ 'work.ref': 1 })
          .limit(limit)
          .toArray();
        return found.map(({ body }) => personFacts(JSON.parse(body) as PersonObservation, networkBaseUrl));
      }),
    companiesByRef: (afterRef, limit) =>
      read(async (db) => {
        if (limit <= 0) return [];
        const found = await observationsIn(db)
          .find({ _id: idsOfKind('company', afterRef ?? '') }, { projection: { body: 1 } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        return found.map(({ body }) => companyFacts(JSON.parse(body) as CompanyObservation, networkBaseUrl));
      }),
    lastReads: (refs) =>
      read(async (db) => {
        const found = await readingsIn(db)
          .find({ _id: { $in: [...refs] } })
          .toArray();
        return new Map(found.map(({ _id, readAt }) => [_id, readAt]));
      }),
    learned: () => learned(null),
    countryCodesOfCity: (city) =>
      read(async (db) => {
        const found = await placesIn(db)
          .find({ city: fold(city) })
          .toArray();
        return found.map(({ countryCode }) => countryCode).sort();
      }),
  };
}

/** Everything with each of these names, by ref. */
async function namesakes(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, readonly Named[]>> {
  const found = new Map<string, Named[]>();
  for (const some of slices([...new Set(names)])) {
    const stored = observationsIn(db).find(
      { names: { $in: [...some] } },
      { projection: { kind: 1, ref: 1, names: 1, body: 1 } },
    );
    for await (const { kind, ref, names: own = [], body } of stored) {
      const named: Named = { kind, ref, observation: () => JSON.parse(body) as Observation };
      for (const name of own) found.set(name, [...(found.get(name) ?? []), named]);
    }
  }
  return found;
}

function nameOfIdentifier(identifier: NetworkIdentifier): string {
  return identifier.by === 'handle'
    ? nameOf('handle', identifier.handle)
    : nameOf('domain', identifier.domain);
}

function isOne(refs: readonly string[]): boolean {
  return refs.length === 1;
}

function slices(all: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, slice) =>
    all.slice(slice * AT_ONCE, (slice + 1) * AT_ONCE),
  );
}
