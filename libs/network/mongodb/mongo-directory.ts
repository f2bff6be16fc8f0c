import type { Db } from 'mongodb';
import { together } from '#kernel/commands/together.js';
import type { NetworkEntity, NetworkIdentifier } from '#kernel/values/network-identifiers.js';
import { inPieces } from '#kernel/values/pieces.js';
import { fold } from '#kernel/values/text-folding.js';
import type { MongoDatabase } from '#mongodb/open-mongo-database.js';
import { companyFacts, personFacts } from '../facts.js';
import type { CompanyFacts, NetworkDirectory, PersonFacts, Resolution } from '../network-directory.port.js';
import type { ReadingOf } from '../network-source.port.js';
import type { CompanyObservation, Observation, PersonObservation } from '../observation.js';
import { refsNamed, resolution, type Named } from '../resolution.js';
import { learningIn, observationsIn, placesIn, readingsIn } from './network-collections.js';
import { idsOfKind, nameOf, observationId } from './observation-document.js';

/** Names or refs in one query. */
const AT_ONCE = 1_000;

/** NetworkDirectory over a MongoDB: a few queries for any number of identifiers. */
export function mongoDirectory({ read }: MongoDatabase, networkBaseUrl: string): NetworkDirectory {
  const companyIn = (body: string): CompanyFacts =>
    companyFacts(JSON.parse(body) as CompanyObservation, networkBaseUrl);
  const personIn = (body: string, reading: ReadingOf = null): PersonFacts =>
    personFacts(JSON.parse(body) as PersonObservation, networkBaseUrl, reading);

  const resolve = <Facts>(
    entity: NetworkEntity,
    identifiers: readonly NetworkIdentifier[],
    factsIn: (body: string, reading: ReadingOf) => Facts,
  ): Promise<readonly Resolution<Facts>[]> =>
    read(async (db) => {
      const named = await namesakes(db, identifiers.map(nameOfIdentifier));
      const of = (identifier: NetworkIdentifier): readonly Named[] =>
        named.get(nameOfIdentifier(identifier)) ?? [];
      const single = identifiers.map((identifier) => refsNamed(of(identifier), entity)).filter(isOne);
      const facts = await factsOf(db, entity, single.flat(), factsIn);
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
    resolveCompanies: (identifiers) => resolve('company', identifiers, companyIn),
    resolvePeople: (identifiers) => resolve('person', identifiers, personIn),
    companies: (refs) => read((db) => factsOf(db, 'company', refs, companyIn)),
    people: (refs) => read((db) => factsOf(db, 'person', refs, personIn)),
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
        return found.map(({ body }) => personIn(body));
      }),
    companiesByRef: (afterRef, limit) =>
      read(async (db) => {
        if (limit <= 0) return [];
        const found = await observationsIn(db)
          .find({ _id: idsOfKind('company', afterRef ?? '') }, { projection: { body: 1 } })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray();
        return found.map(({ body }) => companyIn(body));
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

/** Facts of many at once, by ref; unknown ones are left out. */
async function factsOf<Facts>(
  db: Db,
  entity: NetworkEntity,
  refs: readonly string[],
  factsIn: (body: string, reading: ReadingOf) => Facts,
): Promise<ReadonlyMap<string, Facts>> {
  const found = new Map<string, Facts>();
  for (const some of inPieces([...new Set(refs)], AT_ONCE)) {
    const stored = observationsIn(db).find(
      { _id: { $in: some.map((ref) => observationId(entity, ref)) } },
      { projection: { ref: 1, body: 1, source: 1 } },
    );
    for await (const { ref, body, source } of stored) found.set(ref, factsIn(body, source ?? null));
  }
  return found;
}

/** Everything with each of these names, by ref. */
async function namesakes(db: Db, names: readonly string[]): Promise<ReadonlyMap<string, readonly Named[]>> {
  const found = new Map<string, Named[]>();
  for (const some of inPieces([...new Set(names)], AT_ONCE)) {
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
