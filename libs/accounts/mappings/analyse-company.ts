import { workspaceScoped } from '#kernel/commands/decider.js';
import { allocatedId } from '#kernel/commands/ids.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { inPieces, inPiecesOfBytes } from '#kernel/values/pieces.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { settleCharges } from '#ledger/charging/settle-charges.js';
import { pricesToCharge } from '#catalogue/workspace-prices.js';
import { employersOf, observedCompanyOf, observedPersonOf } from '#identities/observed-facts.js';
import type { PlannedPerson } from '#accounts/domain/content-requests/content-request.events.js';
import {
  enterStage,
  planPeople,
  type RequestOutcome,
} from '#accounts/domain/content-requests/content-request.js';
import { MAX_PROFILES_AT_ONCE, MAX_PROFILES_BYTES } from '#accounts/domain/mappings/mapping.events.js';
import { mapping, mapProfiles } from '#accounts/domain/mappings/mapping.js';
import { personas } from '#lists/domain/personas/personas.js';
import { identityClaims } from '#identities/claim-identities.js';
import { findLead } from '#identities/find-leads.js';
import { identifierOf } from '#identities/company-refs.js';
import { recordsBefore } from '#identities/records-before.js';
import { chargeUnlessBlocked } from './charge-unless-blocked.js';
import { mappedProfile } from './mapped-profile.js';
import { peopleToMap, type Targeting } from './people-to-map.js';
import { payForProfiles } from './profile-charges.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import { companies, companyKey } from '#projections/identities/companies/companies.projection.js';
import type { ProcessHost } from '#process-engine/process.js';
import type { UnderWay } from '#accounts/content-requests/request-under-way.js';

/** The maximum number of people planned in one command: far below the size of an append. */
const PLANNED_AT_ONCE = 1_000;
const CLAIMS_AT_ONCE = 25;

/** How an analysis ends; null if the workspace was blocked meanwhile: the rest waits. */
export type Analysed = RequestOutcome | null;

/** Finds and analyses the people of a company for the persona of a request; returns how it ends. */
export async function analyseCompany(
  host: ProcessHost,
  request: UnderWay,
  signal: AbortSignal,
): Promise<Analysed> {
  const now = (): string => host.clock.now().toISOString();
  await request.send(enterStage('account_mapping_in_progress', now()), 'in-progress');
  signal.throwIfAborted();
  const targeting = await targetingOf(host, request);
  if (isEmpty(targeting.jobTitle)) return 'persona_without_job_titles';
  const known = await networkPage(host, request);
  if (known === 'no page') return 'missing_network_target';
  signal.throwIfAborted();
  const { stage } = await request.progress();
  // The people were fixed before the request left that stage.
  if (stage !== 'account_mapping_ingestion_in_progress')
    await plan(host, request, known === 'nobody' ? [] : await matching(host, known, targeting, signal));
  const { people } = await request.progress();
  if (people.length === 0) return 'no_employee_resolved';
  signal.throwIfAborted();
  await request.send(enterStage('account_mapping_ingestion_in_progress', now()), 'ingestion');
  return analysePeople(host, request, people, signal);
}

const isEmpty = (texts: readonly string[] | null): boolean => texts === null || texts.length === 0;

/** The current targeting of the persona, which may have changed since the request was created. */
function targetingOf({ commands }: ProcessHost, { work, created }: UnderWay): Promise<Targeting> {
  const { personaId } = created;
  return commands.load(personas, String(work.workspaceId), ({ byId }) => {
    const facts = personaId === null ? undefined : byId.get(personaId)?.facts;
    const { jobTitle = null, excludeJobTitle = null, location = null } = facts ?? {};
    return { jobTitle, excludeJobTitle, location };
  });
}

/** The network ref of the company; `nobody` if it has a page without observations. */
async function networkPage(host: ProcessHost, request: UnderWay): Promise<string | 'no page' | 'nobody'> {
  const page = await pageOf(host, request);
  return typeof page === 'string' ? page : page.facts.ref;
}

/**
 * As `networkPage`, for a top account. Of several accounts that turned out to be one company, only the one that takes
 * precedence has a page: a company is mapped, and charged, once.
 */
export async function accountPage(
  host: ProcessHost,
  request: UnderWay,
): Promise<string | 'no page' | 'nobody'> {
  const page = await pageOf(host, request);
  if (typeof page === 'string') return page;
  const { facts, recordId } = page;
  const { workspaceId, companyId } = request.work;
  const before = recordId === companyId ? [] : await recordsBefore(host, workspaceId, facts, companyId);
  return (await isAnyTopAccount(host, before)) ? 'no page' : facts.ref;
}

/** Whether one of these records of a company is on the top account list. */
export async function isAnyTopAccount(
  { readModels }: Pick<ProcessHost, 'readModels'>,
  companyIds: readonly number[],
): Promise<boolean> {
  const known = await readModels.getMany(companies, companyIds.map(companyKey));
  return [...known.values()].some(({ isTopAccount }) => isTopAccount);
}

/** What the network knows of the company, and the record that it has in the workspace. */
async function pageOf(
  host: ProcessHost,
  request: UnderWay,
): Promise<{ readonly facts: CompanyFacts; readonly recordId: number } | 'no page' | 'nobody'> {
  const { workspaceId, companyId } = request.work;
  const company = await host.readModels.get(companies, companyKey(companyId));
  if (company === null) throw new Error(`company ${companyId} is in no read model`);
  const identifier = identifierOf(company);
  if (identifier === null) return 'no page';
  const [resolution] = await ofNetwork(() => host.directory.resolveCompanies([identifier]));
  if (resolution?.outcome !== 'found') return identifier.by === 'domain' ? 'no page' : 'nobody';
  const { facts } = resolution;
  if (facts.handle === null) return 'no page';
  const claims = identityClaims(host, workspaceId, request.context);
  return { facts, recordId: await claims.claimCompany(observedCompanyOf(facts)) };
}

function matching(
  { directory }: ProcessHost,
  companyRef: string,
  targeting: Targeting,
  signal: AbortSignal,
): Promise<readonly PersonFacts[]> {
  if (isEmpty(targeting.location)) return Promise.resolve([]);
  return ofNetwork(() => peopleToMap(directory, companyRef, [targeting], signal));
}

/** Fixes the people that the request analyses, each with a lead id. */
export async function plan(
  host: ProcessHost,
  request: UnderWay,
  people: readonly PersonFacts[],
): Promise<void> {
  const leads = await sideBySide(people, CLAIMS_AT_ONCE, (person) =>
    findLead(host.commands, request.work.workspaceId, observedPersonOf(person, new Map()).identity),
  );
  const unknown = leads.filter((leadId) => leadId === null).length;
  const fresh = [...(await host.ids.nextMany('lead', unknown))];
  const planned = people.map(({ ref }, index) => ({
    personRef: ref,
    leadId: leads[index] ?? allocatedId(fresh.splice(0, 1), 0),
  }));
  for (const piece of inPieces(planned, PLANNED_AT_ONCE)) {
    const decision = planPeople(piece, host.clock.now().toISOString());
    await request.send(decision, `plan:${piece[0]?.personRef}`);
  }
}

/** Pays for and records the people who are not in the mapping yet, by lead id, as far as the balance allows. */
export async function analysePeople(
  host: ProcessHost,
  request: UnderWay,
  people: readonly PlannedPerson[],
  signal: AbortSignal,
): Promise<Analysed> {
  const { workspaceId } = request.work;
  const { mappingId } = request.created;
  if (mappingId === null) throw new Error(`request ${request.work.requestId} has no mapping`);
  const stream = workspaceScoped(workspaceId, mappingId);
  const mapped = new Set(await host.commands.load(mapping, stream, ({ profiles }) => [...profiles.keys()]));
  const left = people
    .filter(({ personRef }) => !mapped.has(personRef))
    .toSorted((one, other) => one.leadId - other.leadId);
  let found = mapped.size;
  for (const piece of inPieces(left, MAX_PROFILES_AT_ONCE)) {
    signal.throwIfAborted();
    const analysed = await analysePiece(host, request, mappingId, piece);
    if (analysed === null) return null;
    const { recorded, cutShort, isFenced } = analysed;
    if (isFenced) return 'request_timed_out';
    found += recorded;
    if (cutShort) return 'insufficient_credits';
  }
  return found === 0 ? 'no_employee_resolved' : 'completed';
}

type Piece = { readonly recorded: number; readonly cutShort: boolean; readonly isFenced: boolean };

async function analysePiece(
  host: ProcessHost,
  request: UnderWay,
  mappingId: number,
  piece: readonly PlannedPerson[],
): Promise<Piece | null> {
  const { workspaceId, requestId, companyId } = request.work;
  const { personaId, requestDate } = request.created;
  const step = `piece:${piece[0]?.leadId}`;
  const seen = await ofNetwork(() => host.directory.people(piece.map(({ personRef }) => personRef)));
  const present = piece.flatMap(({ personRef, leadId }) => {
    const person = seen.get(personRef);
    return person === undefined ? [] : [{ person, leadId }];
  });
  const analysis = { requestId, companyId, personaId, requestDate, keyId: request.keyId };
  const refs = present.map(({ person }) => person.ref);
  const payment = await chargeUnlessBlocked(host, request.paid, async (work) => {
    const { workChargeOf } = await pricesToCharge(host.commands, host.readModels, workspaceId);
    return payForProfiles(host, work, step, analysis, workChargeOf('profile'), refs);
  });
  if (payment === 'blocked') return null;
  const { paid, cutShort } = payment;
  const covered = present.filter(({ person }) => paid.has(person.ref));
  const employers = await ofNetwork(() =>
    employersOf(
      host.directory,
      covered.map(({ person }) => person),
    ),
  );
  const claims = identityClaims(host, workspaceId, request.context);
  const profiles = await sideBySide(covered, CLAIMS_AT_ONCE, async ({ person, leadId }) => {
    const claimed = await claims.claimLead(observedPersonOf(person, employers), companyId, leadId);
    return mappedProfile(person, claimed, paid.get(person.ref) ?? null);
  });
  const about = { mappingId, companyId, requestDate, personaId };
  for (const bounded of inPiecesOfBytes(profiles, MAX_PROFILES_AT_ONCE, MAX_PROFILES_BYTES)) {
    const { answer: isFenced } = await host.commands.handle(
      mapping,
      workspaceScoped(workspaceId, mappingId),
      mapProfiles(about, requestId, bounded),
      {
        context: request.context(`profiles:${bounded[0]?.leadId}`),
        answer: ({ fenced }) => fenced.has(requestId),
        waitForReadModels: false,
      },
    );
    // The request was fenced meanwhile: movements without a recorded profile are not captured.
    if (isFenced) return { recorded: 0, cutShort, isFenced };
  }
  const capture = profiles.flatMap(({ movementId }) => movementId ?? []);
  await settleCharges(host, request.paid, `${step}:capture`, { capture });
  return { recorded: profiles.length, cutShort, isFenced: false };
}

/** A network that cannot be reached counts as a failure of the request, unlike the stores of the product itself. */
export async function ofNetwork<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw new Error('the network cannot be reached', { cause: error });
    throw error;
  }
}
