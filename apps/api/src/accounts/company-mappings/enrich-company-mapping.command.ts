import { ArrayMaxSize, ArrayNotEmpty, IsOptional, MaxLength } from 'class-validator';
import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import { contextOfStep, workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import type { Immutable } from '#kernel/events/event.js';
import { Id, Nullable, OneOf, Type, type Static } from '#kernel/values/schema.js';
import type { Faults } from '#kernel/values/faults.js';
import { unknownCompany } from '#identities/domain/companies/company.js';
import { STAGES_UNDER_WAY } from '#accounts/domain/content-requests/content-request.events.js';
import { contentRequest } from '#accounts/domain/content-requests/content-request.js';
import { holdProblems, requireAffordable } from '#ledger/charging/affordable.js';
import { askedBy } from '#ledger/charging/charges.js';
import type { ObservedCompany } from '#identities/domain/companies/company-facts.js';
import { workspaceState } from '#accounts/workspace-state.js';
import { workspaceBlocked } from '#access/domain/workspaces/workspace.js';
import { IsId, IsNotBlank, NeedsExactlyOneOf } from '#http/body.js';
import { creditHeaders } from '#http/credit-headers.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { reply, type Reply } from '#http/reply.js';
import { invalidRequest } from '#http/problem.js';
import { identityClaims } from '#identities/claim-identities.js';
import { launchMappings, type PersonaLaunch } from '#accounts/mappings/launch-mappings.js';
import { unlaunched } from '#accounts/mappings/launches-of-day.js';
import { launchPrice } from '#accounts/mappings/enrichment-charge.js';
import { MAPPING_STAGES } from './mapping-stages.js';
import { creditsLeft } from '../../ledger/credits-left.js';
import { handle } from '../../handle.js';
import type { ApiPorts } from '../../ports.js';
import { identifiedCompany, ownCompany } from './called-company.js';
import { companyConflict, namedTarget, TARGET_NAMES, type NamedTarget } from './enrichment-target.js';
import {
  mappablePersonas,
  namedPersonas,
  personasOfLists,
  unknownPersonas,
  type MappablePersona,
} from './personas-to-map.js';
import { mappingFeature } from './mapping-feature.js';
import {
  consideredBefore,
  launchedBefore,
  requestDateOf,
  type LaunchedBefore,
} from './repeated-enrichment.js';

const LONGEST_IDENTIFIER = 2_048;
const MOST_PERSONAS = 1_000;

@NeedsExactlyOneOf(...TARGET_NAMES)
export class EnrichCompanyMappingBody {
  @IsOptional()
  @IsNotBlank()
  @MaxLength(LONGEST_IDENTIFIER)
  domain?: string;

  @IsOptional()
  @IsNotBlank()
  @MaxLength(LONGEST_IDENTIFIER)
  network_url?: string;

  @IsOptional()
  @IsNotBlank()
  @MaxLength(LONGEST_IDENTIFIER)
  network_handle?: string;

  @IsOptional()
  @IsId()
  company_id?: number;

  @IsOptional()
  @ArrayNotEmpty()
  @ArrayMaxSize(MOST_PERSONAS)
  @IsId({ each: true })
  persona_ids?: number[];
}

const Launch = Type.Object(
  {
    persona_id: Id,
    request_id: Nullable(Id),
    status: OneOf('launched', 'already_requested', 'skipped_no_location', 'skipped_no_job_titles'),
    credits: Type.Integer({ minimum: 0 }),
  },
  { title: 'EnrichmentLaunch' },
);
type LaunchAnswer = Immutable<Static<typeof Launch>>;

const [FIRST_STAGE] = STAGES_UNDER_WAY.account_mapping;

const Accepted = Type.Object(
  {
    status: OneOf('accepted'),
    /** Deprecated: that of the first launch with a request. */
    request_id: Id,
    stage: OneOf(...MAPPING_STAGES),
    launches: Type.Array(Launch),
  },
  { title: 'EnrichmentAccepted' },
);
type Accepted = Immutable<Static<typeof Accepted>>;

const noPersonaLaunchable = refusal({
  code: 'no-persona-launchable',
  kind: 'unprocessable',
  slug: 'no-persona-launchable',
  detail: 'No persona can be mapped.',
});

@Endpoint({
  caller: 'apiKey',
  feature: mappingFeature.feature,
  route: 'POST /api/v2/enrich-company-mapping',
  summary: 'Find the people who work at a company',
  description:
    'Launches one mapping for each persona: those of the lists that contain the company, every active one, ' +
    'or the requested ones. Exactly one of company_id, domain, network_url and network_handle identifies ' +
    'the company. A persona is launched once a day for a company. A launch is charged and its credits are ' +
    'returned if it fails; each analysed person is charged too. Poll `GET ' +
    '/api/v2/account-mapping/{request_id}/stage` for each launch.',
  status: 202,
  body: EnrichCompanyMappingBody,
  invalidBody: 400,
  response: Accepted,
  reportsCredits: 'charged and remaining',
  problems: [
    mappingFeature.problem,
    workspaceBlocked,
    unknownCompany,
    unknownPersonas,
    companyConflict,
    noPersonaLaunchable,
    ...holdProblems,
  ],
})
export class EnrichCompanyMapping extends EndpointCommand<
  Reply<Accepted>,
  { body: EnrichCompanyMappingBody }
> {}

export const enrichCompanyMapping = handle(EnrichCompanyMapping, async (request, ports) => {
  const { workspaceId, body, context } = request;
  const faults: Faults = new Map();
  const named = namedTarget(body, faults);
  if (named === null) throw invalidRequest('body', 400, faults);
  const done = await launchedBefore(ports, request, named);
  if (done === null) await refuseBlocked(ports, workspaceId);
  const { target, considered } = await whatIsAsked(ports, request, named, done);
  const personaIds = considered.flatMap(({ personaId, skipped }) => (skipped === null ? personaId : []));
  const skips = considered.filter(({ skipped }) => skipped !== null);
  if (personaIds.length === 0)
    throw noPersonaLaunchable({ members: { launches: skips.map(answerOfSkipped) } });
  const credits = await launchPrice(ports, workspaceId);
  const requestDate = await requestDateOf(ports, workspaceId, target.companyId, context);
  await refuseUncovered(ports, workspaceId, target.companyId, { requestDate, personaIds, credits }, context);
  const companyId =
    target.observed === null ? target.companyId : await claim(ports, request, target.observed);
  if (companyId === null) throw unknownCompany();
  const launches = await launchMappings(ports, {
    workspaceId,
    companyId,
    requestDate,
    identifier: named.text,
    personaIds,
    credits,
    context,
  });
  const charged = launches
    .filter(({ status }) => status === 'launched')
    .reduce((sum, launch) => sum + launch.credits, 0n);
  const answer = await accepted(ports, workspaceId, considered, launches);
  const remaining = await creditsLeft(ports, workspaceId);
  return reply(answer, { headers: creditHeaders({ charged, remaining }) });
});

async function refuseBlocked({ commands }: ApiPorts, workspaceId: number): Promise<void> {
  if ((await workspaceState(commands, workspaceId)).blocked) throw workspaceBlocked();
}

type Asked = EnrichCompanyMapping['request'];

/** The company and the personas of the call, checked in the order of the refusals. */
async function whatIsAsked(
  ports: ApiPorts,
  { workspaceId, body: { persona_ids: asked } }: Asked,
  { named, name }: NamedTarget,
  done: LaunchedBefore | null,
) {
  // A persona that was launched may be archived by now.
  const personaIds = asked?.filter((personaId) => done?.own.includes(personaId) !== true) ?? null;
  const known = typeof named === 'number' ? await ownCompany(ports, workspaceId, named) : named;
  const active = await mappablePersonas(ports.commands, workspaceId);
  // Null: those of the lists that the company is on.
  const chosen = personaIds === null ? null : namedPersonas(active, personaIds);
  const target = 'by' in known ? await identifiedCompany(ports, workspaceId, known, name) : known;
  const considered =
    chosen ?? (await personasOfLists(ports.readModels, workspaceId, active, target.listedAs));
  return { target, considered: done === null ? considered : consideredBefore(considered, done) };
}

/**
 * Creates the record of the company, which becomes visible with its launch. Throws `companyConflict` if another request
 * is claiming it.
 */
async function claim(
  ports: ApiPorts,
  { workspaceId, context }: Asked,
  seen: ObservedCompany,
): Promise<number> {
  const claims = identityClaims(ports, workspaceId, (step) => contextOfStep(context, step));
  const { companyId, isWon } = await claims.claimWon(seen, { provisionally: true });
  if (!isWon) throw companyConflict();
  return companyId;
}

/** Checks with the current ledger whether it covers all launches, so that a refusal leaves nothing behind. */
async function refuseUncovered(
  ports: ApiPorts,
  workspaceId: number,
  companyId: number | null,
  wanted: {
    readonly requestDate: string;
    readonly personaIds: readonly number[];
    readonly credits: Credits;
  },
  context: CommandContext,
): Promise<void> {
  const { requestDate, personaIds, credits } = wanted;
  const payable =
    companyId === null
      ? personaIds
      : await unlaunched(ports, { workspaceId, companyId, requestDate }, personaIds);
  const cause = { kind: 'enrichment', ...askedBy(context) } as const;
  const charges = payable.map(() => ({ credits, cause }));
  await requireAffordable(ports.commands, workspaceId, charges, ports.clock.now().toISOString());
}

async function accepted(
  { commands }: ApiPorts,
  workspaceId: number,
  considered: readonly MappablePersona[],
  launches: readonly PersonaLaunch[],
): Promise<Accepted> {
  const byPersona = new Map(launches.map((launch) => [launch.personaId, launch]));
  const answers = considered.map((persona) => {
    const launch = byPersona.get(persona.personaId);
    return launch === undefined ? answerOfSkipped(persona) : answerOf(launch);
  });
  const first = answers.find(({ request_id }) => request_id !== null);
  const requestId = first?.request_id ?? null;
  if (first === undefined || requestId === null) throw new Error('a call that was accepted has a request');
  // The answer shows the stage at the launch, even if the request has proceeded.
  const stage =
    first.status === 'launched'
      ? FIRST_STAGE
      : await commands.load(
          contentRequest,
          workspaceScoped(workspaceId, requestId),
          (request) => MAPPING_STAGES.find((known) => known === request.stage) ?? FIRST_STAGE,
        );
  return { status: 'accepted', request_id: requestId, stage, launches: answers };
}

const answerOf = ({ personaId, requestId, status, credits }: PersonaLaunch): LaunchAnswer => ({
  persona_id: personaId,
  request_id: requestId,
  status,
  credits: toJsonNumber(credits),
});

const answerOfSkipped = ({ personaId, skipped }: MappablePersona) => ({
  persona_id: personaId,
  request_id: null,
  status: skipped ?? ('skipped_no_location' as const),
  credits: 0,
});
