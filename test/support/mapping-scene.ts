import type { CommandContext } from '#kernel/commands/decider.js';
import { fromStored, toStored, credits } from '#kernel/values/credits.js';
import { observedCompanyOf } from '#identities/observed-facts.js';
import { createPersona, personas } from '#lists/domain/personas/personas.js';
import { priceList, setListPrice } from '#catalogue/domain/prices/prices.js';
import { claimHostOf } from '#identities/claim-host.js';
import { identityClaims } from '#identities/claim-identities.js';
import { launchMappings, type PersonaLaunch } from '#accounts/mappings/launch-mappings.js';
import type { LaunchMappings } from '#accounts/mappings/reserve-launches.js';
import { finishEnrichmentLaunches } from '#accounts/mappings/finish-enrichment-launches.process.js';
import { mapCompany } from '#accounts/mappings/map-company.process.js';
import type { Process, ProcessHost } from '#process-engine/process.js';
import { dueItems, type DueItem } from '#process-engine/to-do.js';
import { untilDeath, type Life, type Lived } from './mortal.js';
import { observedCompany, observedPerson } from './observed-network.js';
import type { SignalHouse } from './signal-house.js';
import { systemContext } from './system-context.js';
import { releaseRestedHolds } from '#runtime/processes.js';

const NEVER = new AbortController().signal;
/** Longer than the lease of a reservation. */
const AFTER_LEASE_MS = 11_000;
export const PEOPLE = ['ana', 'luc', 'sue'];

/** A workspace with two personas and a company where all of `PEOPLE` match both. */
export type MappingScene = {
  readonly workspaceId: number;
  readonly companyId: number;
  readonly personaIds: readonly number[];
};

/** Adds the company to the network and sets the prices, once per house. */
export async function furnishMapping(house: SignalHouse): Promise<void> {
  await house.ingest([
    observedCompany('acme'),
    ...PEOPLE.map((name) =>
      observedPerson(name, {
        geo: { country: 'France', country_code: 'FR' },
        experiences: [{ title: 'Sales', company_ref: 'c:acme', start_date: '2024', end_date: null }],
      }),
    ),
  ]);
  for (const item of ['launch', 'profile'])
    await house.decide(null, priceList, '', setListPrice({ item, credits: toStored(credits(1)) }));
}

export async function mappingScene(
  house: SignalHouse,
  creditsGranted: number,
  handle = 'acme',
): Promise<MappingScene> {
  const { ids, network } = house.operator;
  const workspaceId = await house.workspace({ mode: 'self' }, creditsGranted);
  const personaIds = await ids.nextMany('persona', 2);
  for (const personaId of personaIds) {
    const facts = { jobTitle: ['sales'], location: ['France'] };
    const create = createPersona({ personaId, facts, now: house.now().toISOString() });
    await house.decide(workspaceId, personas, String(workspaceId), create);
  }
  const ref = `c:${handle}`;
  const company = (await network.directory.companies([ref])).get(ref);
  if (company === undefined) throw new Error('the network does not know the company');
  const claims = identityClaims(claimHostOf(house.operator), workspaceId, (step) =>
    systemContext(workspaceId, `company-${workspaceId}-${step}`),
  );
  const companyId = await claims.claimCompany(observedCompanyOf(company));
  await house.caughtUp();
  return { workspaceId, companyId, personaIds };
}

/** A call that enriches the company for both personas, made by this process. */
export function enrichCall(
  house: SignalHouse,
  scene: MappingScene,
  caller: Pick<ProcessHost, 'commands' | 'ids' | 'clock'>,
  context: CommandContext,
): Promise<readonly PersonaLaunch[]> {
  const call: LaunchMappings = {
    ...scene,
    requestDate: house.now().toISOString().slice(0, 10),
    identifier: 'acme.com',
    credits: credits(1),
    context,
  };
  return launchMappings(caller, call);
}

/** Lets a process do something until it is done or dies. */
export const livesUntil = (
  house: SignalHouse,
  fatalPoint: number,
  doing: (host: ProcessHost, life: Life) => Promise<unknown>,
): Promise<Lived> => untilDeath(fatalPoint, (life) => doing(house.worker(life), life));

/** Items of a process that are due in this workspace. */
export async function dueIn<Item extends DueItem>(
  house: SignalHouse,
  process: Process<Item>,
  workspaceId: number,
): Promise<readonly Item[]> {
  await house.caughtUp();
  return dueItems(house.reads, process.toDo, house.now(), 100, workspaceId);
}

/** The one request of this workspace that is to be worked off. */
export async function dueMapping(house: SignalHouse, { workspaceId }: MappingScene) {
  const [work] = await dueIn(house, mapCompany, workspaceId);
  if (work === undefined) throw new Error('no request is to be worked off');
  return work;
}

/** Ends the holds of this workspace that have rested for a day, until none is left. */
export async function releaseRested(house: SignalHouse, workspaceId: number): Promise<void> {
  for (let due = await dueIn(house, releaseRestedHolds, workspaceId); due.length > 0;) {
    for (const hold of due) await releaseRestedHolds.act(house.worker(), hold, NEVER);
    due = await dueIn(house, releaseRestedHolds, workspaceId);
  }
}

/** Does all due work, including work that falls due when the leases of dead processes expire. */
export async function workOff(house: SignalHouse, { workspaceId }: MappingScene): Promise<void> {
  house.advance(AFTER_LEASE_MS);
  for (;;) {
    const launches = await dueIn(house, finishEnrichmentLaunches, workspaceId);
    for (const launch of launches) await finishEnrichmentLaunches.act(house.worker(), launch, NEVER);
    const requests = await dueIn(house, mapCompany, workspaceId);
    for (const request of requests) await mapCompany.act(house.worker(), request, NEVER);
    if (launches.length + requests.length === 0) return;
  }
}

/** The movements in the ledger of a workspace: credits by product and status. */
export async function moneyOf(house: SignalHouse, { workspaceId }: MappingScene) {
  const ended = new Map<number, string>();
  const held: { movementId: number; credits: number; product: string }[] = [];
  for await (const batch of house.events.readStream(`credits-${workspaceId}`))
    for (const { type, data } of batch) {
      const movementId = Number(data['movementId']);
      if (type === 'CreditsHeld')
        held.push({
          movementId,
          credits: Number(fromStored(String(data['credits'])) / credits(1)),
          product: String(data['product']),
        });
      if (type === 'CreditsCaptured' || type === 'CreditsReleased') {
        if (ended.has(movementId)) throw new Error(`movement ${movementId} ended twice`);
        ended.set(movementId, type === 'CreditsCaptured' ? 'captured' : 'released');
      }
    }
  const sums: Record<string, number> = {};
  for (const movement of held) {
    const name = `${movement.product} ${ended.get(movement.movementId) ?? 'held'}`;
    sums[name] = (sums[name] ?? 0) + movement.credits;
  }
  return sums;
}

/** Types of the events on the streams of a category in this workspace, in order. */
export async function typesOf(
  house: SignalHouse,
  { workspaceId }: MappingScene,
  category: string,
): Promise<readonly string[]> {
  return (await house.eventsOf(workspaceId))
    .filter(({ stream }) => stream.startsWith(`${category}-${workspaceId}_`))
    .map(({ type }) => type);
}
