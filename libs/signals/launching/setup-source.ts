import { productOf } from '#catalogue/products.js';
import { pricesToCharge } from '#catalogue/workspace-prices.js';
import type { Detector } from '#signals/detection/detector.js';
import { personas, type Persona } from '#lists/domain/personas/personas.js';
import { canDetect, detectorOfTemplate } from '#signals/detection/detectors.js';
import type { TemplateContent } from '#catalogue/domain/templates/catalogue.events.js';
import type { Audience, LaunchPersona } from '#signals/domain/launches/launch.events.js';
import { endRun, launch } from '#signals/domain/launches/launches.js';
import type { Launchable } from '#signals/domain/launches/prepare-launch.js';
import {
  livePassSetup,
  passSetup,
  signalSetup,
  tickSetup,
  type SetupConfiguration,
} from '#signals/domain/setups/signal-setup.js';
import { signalTemplates } from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import {
  decidedBy,
  streamOfSource,
  type LaunchHost,
  type LaunchQuestion,
  type LaunchSource,
} from './launch-source.js';
import { isOfCoveredAlone } from './price-of-one.js';
import { targetsOf } from './targets.js';

/** Signal setups: their findings are determined by their template. They cannot be deleted. */
export const setupSource: LaunchSource = {
  kind: 'setup',

  has: (commands, key) =>
    commands.load(signalSetup, streamOfSource(key), ({ configuration }) => configuration !== null),

  async load(host, question) {
    const { configuration, launches } = await host.commands.load(
      signalSetup,
      streamOfSource(question),
      (setup) => ({ configuration: setup.configuration, launches: setup.launches }),
    );
    if (configuration === null) return null;
    const launchable = await launchableOf(host, question, configuration);
    return { launchable, launches, monitoredSince: null };
  },

  ...decidedBy(signalSetup, {
    launchesOf: ({ configuration, launches }) => ({ enabled: configuration?.enabled === true, launches }),
    launch,
    tick: tickSetup,
    pass: passSetup,
    livePass: livePassSetup,
    end: endRun,
  }),

  isDeleted: async () => false,
};

async function launchableOf(
  host: LaunchHost,
  question: LaunchQuestion,
  setup: SetupConfiguration,
): Promise<Launchable> {
  const { readModels } = host;
  const template = await readModels.get(signalTemplates, String(setup.templateId));
  if (template === null)
    throw new Error(`setup ${setup.setupId} has template ${setup.templateId}, which is gone`);
  const { content } = template;
  const { signalTypes, runs: directions, requiresPersona } = content.detector;
  const { parameters, listId } = setup;
  const detector = detectorOfTemplate(content.detector, content.fields);
  const audiences = audiencesOf(content, setup, question, detector);
  const isDetected =
    detector !== null && canDetect(detector, { signalTypes, directions, audiences, parameters });
  const persona = await personaOf(host, question, setup);
  // An archived persona covers nothing (D-16).
  const coveredFor = persona === null || persona.archived ? null : persona.personaId;
  const targets = await targetsOf(host, question, audiences, { listId, coveredFor });
  return {
    source: { kind: 'setup', id: setup.setupId },
    detectorKind: isDetected ? detector.kind : null,
    signalTypes,
    directions,
    parameters,
    audiences,
    templateKey: setup.templateKey,
    persona: requiresPersona && persona !== null ? personaFacts(persona) : null,
    coveredFor,
    targetTitles: detector?.teamOf?.(signalTypes, parameters) ?? null,
    ...targets,
    missingTargets: isPassOfNothing(content, question) ? NOT_MONITORED : targets.missingTargets,
    charge: await chargeOf(host, question, setup, audiences),
  };
}

/**
 * The audiences of a setup (D-30, D-32): the members of its list; only covered accounts in a daily pass, if the
 * template knows no discovery, or if it is about top accounts; otherwise the whole network or market.
 */
function audiencesOf(
  content: TemplateContent,
  { listId }: SetupConfiguration,
  { trigger }: LaunchQuestion,
  detector: Detector | null,
): readonly Audience[] {
  const isOfCovered = trigger === 'monitoring' || isOfCoveredAlone(content);
  const narrowed: readonly Audience[] = [
    ...(listId === null ? [] : (['list_members'] as const)),
    ...(isOfCovered ? (['covered_accounts'] as const) : []),
    ...(content.detector.requiresTopAccounts ? (['top_accounts'] as const) : []),
  ];
  if (narrowed.length > 0) return narrowed;
  return [detector?.audiences.includes('market') === true ? 'market' : 'network'];
}

const NOT_MONITORED = 'The template monitors no accounts.';

/** A template without account monitoring has nothing to read in a daily pass (D-30). */
const isPassOfNothing = ({ scopes }: TemplateContent, { trigger }: LaunchQuestion): boolean =>
  trigger === 'monitoring' && !scopes.includes('account_monitoring');

/** Findings about covered accounts are free: their month is paid (D-08). */
async function chargeOf(
  { commands, readModels }: LaunchHost,
  { workspaceId }: LaunchQuestion,
  { templateKey }: SetupConfiguration,
  audiences: readonly Audience[],
): Promise<Launchable['charge']> {
  const item = `discovery:${templateKey}` as const;
  if (audiences.includes('covered_accounts')) return { credits: 0n, product: productOf(item, 0n) };
  const { chargeOf: priced } = await pricesToCharge(commands, readModels, workspaceId);
  return priced(item);
}

/** The persona of a setup, by its stream: a read model may be late. */
async function personaOf(
  { commands }: LaunchHost,
  { workspaceId }: LaunchQuestion,
  { personaId }: SetupConfiguration,
): Promise<Persona | null> {
  if (personaId === null) return null;
  return commands.load(personas, String(workspaceId), ({ byId }) => byId.get(personaId) ?? null);
}

const personaFacts = ({ personaId, facts }: Persona): LaunchPersona => ({
  personaId,
  jobTitles: facts.jobTitle ?? [],
  excludeJobTitles: facts.excludeJobTitle ?? [],
  locations: facts.location ?? [],
  seniorities: facts.seniority ?? [],
  headcounts: facts.headcount ?? [],
  industries: facts.industry ?? [],
});
