import type { BaselineCompany } from '#lists/domain/lists/member.events.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import { eachItem } from '#network/each-item.js';
import type { ObservedMove } from '#network/network-source.port.js';
import type { Experience } from '#network/observation.js';
import type { DetectorRun } from '#signals/detection/detector.js';
import type { ListedPerson } from '#signals/detection/watched.js';
import { careerFinding, heldPosition, leftPosition } from './career-finding.js';
import type { ChampionChange } from './champion-changes.js';
import { byPerson, championMoves, counts } from './champions.js';
import { endedThere, givenCompanyOf, isAtGiven } from './given-company.js';

type Run = Pick<DetectorRun<unknown>, 'now' | 'source' | 'directory' | 'known'>;
type Given = { readonly champion: ListedPerson; readonly company: BaselineCompany };
/** A champion who is not, or no longer, at the given company; `position`: null for no position. */
type Elsewhere = Given & { readonly person: PersonFacts; readonly position: Experience | null };

const givenSubject = ({ personRef, memberId }: ListedPerson): string => `baseline:${personRef}:${memberId}`;

/**
 * Champions who were not at their given company at the time of their first observed move, or, without such a move,
 * are not there now (D-51). Champions already reported are left out; the order is undefined.
 */
export async function givenCompanyChanges(
  run: Run,
  champions: readonly ListedPerson[],
): Promise<readonly ChampionChange[]> {
  const given = champions.flatMap((champion): Given[] => {
    const company = givenCompanyOf(champion.baselineCompany);
    return company === null ? [] : [{ champion, company }];
  });
  if (given.length === 0) return [];
  const known = await run.known(given.map(({ champion }) => givenSubject(champion)));
  const asked = given.filter(({ champion }) => !known.has(givenSubject(champion)));
  const elsewhere = await peopleElsewhere(run, asked);
  if (elsewhere.length === 0) return [];
  const givenCompanies = await companiesOfDomains(run, elsewhere);
  const employers = await employersOf(
    run,
    elsewhere.flatMap(({ person, position }) => [position, ...(person.experiences ?? [])]),
  );
  return elsewhere
    .map((one) => changeOf(one, givenCompanies.get(one.company.domain ?? '') ?? null, employers))
    .filter(({ at }) => at <= run.now.getTime());
}

async function peopleElsewhere(run: Run, asked: readonly Given[]): Promise<readonly Elsewhere[]> {
  const people = await run.directory.people([...new Set(asked.map(({ champion }) => champion.personRef))]);
  const first = await firstMoves(
    run,
    asked.map(({ champion }) => champion),
  );
  const compared = asked.flatMap((one): Elsewhere[] => {
    const person = people.get(one.champion.personRef);
    const move = first.get(one.champion.memberId);
    if (person === undefined || (move === undefined && person.experiences === null)) return [];
    return [{ ...one, person, position: move === undefined ? person.current : move.from }];
  });
  const employers = await employersOf(
    run,
    compared.map(({ position }) => position),
  );
  return compared.filter(
    ({ company, position }) =>
      position === null || isAtGiven(company, position, employers(position)) === false,
  );
}

/** The first counting move of each of these champions, by member. */
async function firstMoves(
  run: Run,
  champions: readonly ListedPerson[],
): Promise<ReadonlyMap<number, ObservedMove>> {
  const first = new Map<number, ObservedMove>();
  const members = byPerson(champions);
  const search = championMoves(run, champions);
  if (champions.length === 0) return first;
  for await (const move of eachItem((paging) => run.source.moves({ ...search, ...paging }))) {
    for (const champion of members.get(move.personRef) ?? [])
      if (!first.has(champion.memberId) && counts(move, champion)) first.set(champion.memberId, move);
    if (first.size === champions.length) break;
  }
  return first;
}

/** The companies of the given domains; a domain of several companies is ignored. */
async function companiesOfDomains(
  { directory }: Run,
  given: readonly Given[],
): Promise<ReadonlyMap<string, CompanyFacts>> {
  const domains = [...new Set(given.flatMap(({ company }) => company.domain ?? []))];
  const resolutions = await directory.resolveCompanies(domains.map((domain) => ({ by: 'domain', domain })));
  return new Map(
    domains.flatMap((domain, index) => {
      const resolution = resolutions[index];
      return resolution?.outcome === 'found' ? [[domain, resolution.facts]] : [];
    }),
  );
}

async function employersOf(
  { directory }: Run,
  positions: readonly (Experience | null)[],
): Promise<(position: Experience) => CompanyFacts | null> {
  const refs = positions.map((position) => position?.companyRef ?? null).filter((ref) => ref !== null);
  const companies = await directory.companies([...new Set(refs)]);
  return ({ companyRef }) => (companyRef === null ? null : (companies.get(companyRef) ?? null));
}

function changeOf(
  { champion, company: given, person, position }: Elsewhere,
  givenCompany: CompanyFacts | null,
  employerOf: (position: Experience) => CompanyFacts | null,
): ChampionChange {
  const ended = endedThere(given, person.experiences ?? [], employerOf);
  const employer = position === null ? null : employerOf(position);
  const company = position === null ? givenCompany : employer;
  const change = position === null ? 'departure' : 'new_company';
  const seenAt = person.observedAt ?? champion.addedAt;
  const date = seenAt > champion.addedAt ? seenAt : champion.addedAt;
  return {
    at: Date.parse(date),
    ref: person.ref,
    change,
    person,
    title: (position ?? ended)?.title ?? null,
    company,
    employers: [givenCompany ?? (ended && employerOf(ended)), employer],
    finding: careerFinding({
      subject: givenSubject(champion),
      signalType: 'championJobChange',
      signalDate: date,
      company,
      readings: [person.reading ?? null],
      person,
      change,
      previous: ended === null ? unseenPosition(given, givenCompany) : leftPosition(ended, employerOf(ended)),
      current: position && heldPosition(position, employer),
    }),
  };
}

/** A position of which only the given company is known. */
const unseenPosition = ({ name, domain }: BaselineCompany, company: CompanyFacts | null) => ({
  title: null,
  company_name: name ?? domain,
  company_network_url: company?.networkUrl ?? null,
  end_date: null,
});
