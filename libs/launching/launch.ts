import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { agent, unknownAgent, type Agent } from '#domain/agents/agent.js';
import { available } from '#domain/credits/books.js';
import { billingOf, creditAccount, insufficient } from '#domain/credits/credit-account.js';
import { alreadyRunning, type Launches } from '#domain/signal-launches/launches.js';
import type { PersonaFacts, RunLaunched } from '#domain/signal-launches/launch.events.js';
import { launchOf, requireLaunchable, type Launchable } from '#domain/signal-launches/prepare-launch.js';
import { isPriceItem } from '#domain/prices/price-resolution.js';
import { signalSetup, type SetupConfiguration } from '#domain/signal-setups/signal-setup.js';
import { workspace, workspaceBlocked } from '#domain/workspaces/workspace.js';
import { personaKey, personas, type PersonaDocument } from '#projections/personas/personas.projection.js';
import {
  signalTemplates,
  type SignalTemplateDocument,
} from '#projections/signal-templates/signal-templates.projection.js';
import { topAccounts } from '#projections/top-accounts/top-accounts.projection.js';
import { watchedMembers } from './watched-members.js';
import { pricesToCharge } from '#charging/workspace-prices.js';

/** What preparing a launch needs; the api and the processes have it. */
export type LaunchHost = {
  readonly commands: Commands;
  readonly readModels: ReadModels;
  readonly ids: Ids;
  readonly clock: Clock;
};

export type LaunchRequest = {
  readonly workspaceId: number;
  /** An agent or a signal setup: they share one id sequence. */
  readonly sourceId: number;
  readonly trigger: RunLaunched['trigger'];
  /** In days; null looks back to the previous run (OP-71). */
  readonly lookbackDays: number | null;
};

export const DEFAULT_LOOKBACK_DAYS = 90;
export const MAX_LOOKBACK_DAYS = 180;
const MIN_SCHEDULED_LOOKBACK_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Everything that the runs of a launch need, fixed and with ids, ready to be decided on the stream of its source.
 * Refuses in the order of OP-36: workspace blocked, agent unknown, nothing that can be detected, nobody to look
 * at, no price, a run in progress, not enough money for one signal.
 */
export async function prepareLaunch(
  host: LaunchHost,
  request: LaunchRequest,
  context: CommandContext,
): Promise<RunLaunched> {
  const { workspaceId, sourceId, trigger } = request;
  if ((await host.commands.load(workspace, String(workspaceId))).blocked) throw workspaceBlocked();
  const { launchable, launches } = await findSource(host, workspaceId, sourceId, context);
  const charge = requireLaunchable(launchable);
  if (launches.running.length > 0) throw alreadyRunning();
  await requireMoneyForOne(host.commands, workspaceId, charge.credits);
  const now = host.clock.now();
  return launchOf(launchable, charge, {
    launchId: await host.ids.next('launch'),
    runIds: await host.ids.nextMany('run', launchable.directions.length),
    trigger,
    now: now.toISOString(),
    lookbackDays: request.lookbackDays ?? daysSince(launches.lastLaunchedAt, now),
  });
}

/** Back to the previous run, at least a week and at most what can be looked back to; a first run looks back as usual. */
function daysSince(lastLaunchedAt: string | null, now: Date): number {
  if (lastLaunchedAt === null) return DEFAULT_LOOKBACK_DAYS;
  const days = Math.ceil((now.getTime() - Date.parse(lastLaunchedAt)) / DAY_MS);
  return Math.min(MAX_LOOKBACK_DAYS, Math.max(MIN_SCHEDULED_LOOKBACK_DAYS, days));
}

type Source = { readonly launchable: Launchable; readonly launches: Launches };

/** What stands behind the id: agents and setups share one sequence. */
async function findSource(
  host: LaunchHost,
  workspaceId: number,
  id: number,
  context: CommandContext,
): Promise<Source> {
  const stream = workspaceScoped(workspaceId, id);
  const [setup, known] = await Promise.all([
    host.commands.load(signalSetup, stream),
    host.commands.load(agent, stream),
  ]);
  if (setup.configuration !== null) {
    const launchable = await setupLaunchable(host, workspaceId, setup.configuration, context);
    return { launchable, launches: setup.launches };
  }
  if (!known.exists || known.deleted) throw unknownAgent();
  return { launchable: await agentLaunchable(host, workspaceId, id, known), launches: known.launches };
}

/** The detector of an agent type; a type without one cannot be detected by this version. */
const DETECTION_OF_AGENT: {
  readonly [type: string]: Pick<Launchable, 'detectorKind' | 'signalTypes'> & {
    readonly ofTopAccounts: boolean;
  };
} = {
  keyword_post_search: {
    detectorKind: 'keyword_post',
    signalTypes: ['keywordDetection'],
    ofTopAccounts: false,
  },
  keyword_detection: {
    detectorKind: 'top_account_post',
    signalTypes: ['keywordDetection'],
    ofTopAccounts: true,
  },
  job_posting_keyword_detection: {
    detectorKind: 'top_account_job_posting',
    signalTypes: ['jobPostingKeywordDetection'],
    ofTopAccounts: true,
  },
  unconfigured: { detectorKind: '', signalTypes: [], ofTopAccounts: false },
};
const NOT_DETECTED = { detectorKind: '', signalTypes: ['unknown'], ofTopAccounts: false } as const;

async function agentLaunchable(
  host: LaunchHost,
  workspaceId: number,
  id: number,
  { type, parameters }: Agent,
): Promise<Launchable> {
  const { ofTopAccounts, ...detection } = DETECTION_OF_AGENT[type] ?? NOT_DETECTED;
  const item = `agent:${type}`;
  const { chargeOf } = await pricesToCharge(host.commands, host.readModels, workspaceId);
  return {
    source: { kind: 'agent', id },
    ...detection,
    directions: ['single'],
    parameters,
    templateKey: null,
    persona: null,
    scope: ofTopAccounts
      ? { kind: 'accounts', count: await host.readModels.count(topAccounts, { where: { workspaceId } }) }
      : { kind: 'network' },
    charge: isPriceItem(item) ? chargeOf(item) : null,
  };
}

async function setupLaunchable(
  host: LaunchHost,
  workspaceId: number,
  setup: SetupConfiguration,
  context: CommandContext,
): Promise<Launchable> {
  const template = await host.readModels.get<SignalTemplateDocument>(
    signalTemplates,
    String(setup.templateId),
  );
  if (template === null)
    throw new Error(`setup ${setup.setupId} has template ${setup.templateId}, which is gone`);
  const { detector, scopes } = template.content;
  const { chargeOf } = await pricesToCharge(host.commands, host.readModels, workspaceId);
  return {
    source: { kind: 'setup', id: setup.setupId },
    detectorKind: detector.kind,
    signalTypes: detector.signalTypes,
    directions: detector.runs,
    parameters: setup.parameters,
    templateKey: setup.templateKey,
    persona: detector.requiresPersona
      ? await personaFacts(host.readModels, workspaceId, setup.personaId)
      : null,
    scope:
      setup.listId === null
        ? scopeOf(scopes)
        : await watchedMembers(host.commands, workspaceId, setup.listId, context),
    charge: chargeOf(`discovery:${setup.templateKey}`),
  };
}

/** A signal about monitored accounts alone looks at nobody else; this version monitors no account. */
function scopeOf(scopes: readonly string[]): Launchable['scope'] {
  return scopes.includes('discovery') ? { kind: 'network' } : { kind: 'accounts', count: 0 };
}

async function personaFacts(
  readModels: ReadModels,
  workspaceId: number,
  personaId: number | null,
): Promise<PersonaFacts | null> {
  if (personaId === null) return null;
  const persona = await readModels.get<PersonaDocument>(personas, personaKey(workspaceId, personaId));
  if (persona === null) return null;
  return {
    personaId,
    jobTitles: persona.job_title ?? [],
    excludeJobTitles: persona.exclude_job_title ?? [],
    locations: persona.location ?? [],
    seniorities: persona.seniority ?? [],
  };
}

/** A launch needs the price of one signal, not of all that it may find (SUP-20). */
async function requireMoneyForOne(commands: Commands, workspaceId: number, unitPrice: bigint): Promise<void> {
  const account = await commands.load(creditAccount, String(workspaceId));
  if (billingOf(account).mode !== 'self' || unitPrice === 0n) return;
  if (available(account.books) < unitPrice) throw insufficient(account, unitPrice);
}
