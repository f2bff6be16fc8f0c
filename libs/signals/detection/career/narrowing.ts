import type { Static } from '#kernel/values/schema.js';
import { parseDomain, parseHandle } from '#kernel/values/network-identifiers.js';
import type { agentTypes } from '#signals/domain/agents/agent-types.js';
import { placeMatcher } from '#identities/locations/places.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import type { DetectorRun } from '#signals/detection/detector.js';
import { oneInOrAny } from './titles.js';

/** The parameters that narrow the reported career moves of an agent (D-61); absent and empty ones do not narrow. */
export type Narrowing = Static<typeof agentTypes.champion_tracking.parameters>;

/** A career move with the members that are narrowed by. */
export type NarrowedMove = {
  readonly person: PersonFacts;
  /** Title of the new position, or of the old one if there is no new one. */
  readonly title: string | null;
  /** The new employer, or the old one if there is no new one. */
  readonly company: CompanyFacts | null;
  /** Companies of which one must have a wanted domain. */
  readonly employers: readonly (CompanyFacts | null)[];
};

/** Selects the moves that meet all conditions; an unknown fact does not meet a condition (D-11). */
export function narrowing(
  { watched }: Pick<DetectorRun<unknown>, 'watched'>,
  asked: Narrowing,
): <Move extends NarrowedMove>(moves: readonly Move[]) => Promise<readonly Move[]> {
  const tests = [
    titleTest(asked),
    domainTest(asked),
    placeTest(asked),
    roleTest(asked),
    industryTest(asked),
    profileTest(asked),
  ];
  const areCustomers = customersWanted(asked);
  return async (moves) => {
    const narrowed = moves.filter((move) => tests.every((test) => test(move)));
    if (areCustomers === null || narrowed.length === 0) return narrowed;
    const companies = new Map(narrowed.flatMap(({ company }) => (company ? [[company.ref, company]] : [])));
    const customers = await watched.onCustomerLists([...companies.values()]);
    return narrowed.filter(({ company }) => customers.has(company?.ref ?? '') === areCustomers);
  };
}

type MoveTest = (move: NarrowedMove) => boolean;

const anyMove: MoveTest = () => true;

function titleTest({ target_persona }: Narrowing): MoveTest {
  const isTitled = oneInOrAny(target_persona);
  return ({ title }) => isTitled(title);
}

/** Entries that are no domain match nothing (OP-10). */
function domainTest({ company_domains_to_scrape: entries = [] }: Narrowing): MoveTest {
  if (entries.length === 0) return anyMove;
  const wanted = new Set(entries.map((entry) => parseDomain(entry)?.domain));
  return ({ employers }) =>
    employers.some((company) => company?.domains.some((domain) => wanted.has(domain)) === true);
}

function placeTest({ target_persona_locations: locations = [] }: Narrowing): MoveTest {
  if (locations.length === 0) return anyMove;
  const isAt = placeMatcher(locations);
  return ({ person }) => isAt(person.geo);
}

function roleTest({ author_roles }: Narrowing): MoveTest {
  const isOne = oneInOrAny(author_roles);
  return ({ person }) => isOne(person.current?.title ?? null) || isOne(person.headline);
}

function industryTest({ author_industries }: Narrowing): MoveTest {
  const isOne = oneInOrAny(author_industries);
  return ({ company }) => isOne(company?.industry ?? null);
}

/** An entry that is not the page or handle of a person matches no person (OP-10). */
function profileTest({ target_network_profiles: entries = [] }: Narrowing): MoveTest {
  if (entries.length === 0) return anyMove;
  const profiles = entries.map((entry) => parseHandle(entry)).filter((named) => named?.entity !== 'company');
  const handles = new Set(profiles.map((named) => named?.handle));
  return ({ person: { handle } }) => handle !== null && handles.has(handle);
}

/** True for customers, false for all others; null if both or neither are requested. */
function customersWanted({ interested_by: { customers, prospects } = {} }: Narrowing): boolean | null {
  const [ofCustomers, ofProspects] = [customers === true, prospects === true];
  return ofCustomers === ofProspects ? null : ofCustomers;
}
