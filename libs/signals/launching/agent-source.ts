import {
  agent,
  launchAgent,
  livePassAgent,
  passAgent,
  tickAgent,
  type Agent,
} from '#signals/domain/agents/agent.js';
import { agentTypeOf, type AgentDetection } from '#signals/domain/agents/agent-types.js';
import { endRun } from '#signals/domain/launches/launches.js';
import type { Launchable } from '#signals/domain/launches/prepare-launch.js';
import { isPriceItem } from '#catalogue/domain/prices/price-resolution.js';
import { productOf } from '#catalogue/products.js';
import { pricesToCharge } from '#catalogue/workspace-prices.js';
import { canDetect, detectorNamed } from '#signals/detection/detectors.js';
import {
  decidedBy,
  streamOfSource,
  type LaunchHost,
  type LaunchQuestion,
  type LaunchSource,
} from './launch-source.js';
import { targetsOf } from './targets.js';

/** The part of an agent that a launch uses; null for an agent that never existed or was deleted. */
function launchedAgent(known: Agent) {
  const { type, parameters, watchlist, resolvedTargetPersona, launches, monitoredSince } = known;
  if (!known.exists || known.deleted) return null;
  return { type, parameters, watchlist, resolvedTargetPersona, launches, monitoredSince };
}

type LaunchedAgent = NonNullable<ReturnType<typeof launchedAgent>>;

/** Agents: their findings are determined by the row of their type. */
export const agentSource: LaunchSource = {
  kind: 'agent',

  has: (commands, key) => commands.load(agent, streamOfSource(key), ({ exists }) => exists),

  async load(host, question) {
    const known = await host.commands.load(agent, streamOfSource(question), launchedAgent);
    if (known === null) return null;
    const { launches, monitoredSince } = known;
    return { launchable: await launchableOf(host, question, known), launches, monitoredSince };
  },

  ...decidedBy(agent, {
    launchesOf: ({ enabled, deleted, launches }) => ({ enabled: enabled && !deleted, launches }),
    launch: launchAgent,
    tick: tickAgent,
    pass: passAgent,
    livePass: livePassAgent,
    end: endRun,
  }),

  isDeleted: (commands, key) => commands.load(agent, streamOfSource(key), ({ deleted }) => deleted),
};

const NOTHING: AgentDetection = {
  detector: '',
  signalTypes: [],
  directions: [],
  audiences: ['network'],
  isPriced: false,
};

async function launchableOf(
  host: LaunchHost,
  question: LaunchQuestion,
  { type, parameters, watchlist, resolvedTargetPersona }: LaunchedAgent,
): Promise<Launchable> {
  const row = agentTypeOf(type);
  const asked = question.trigger === 'monitoring' ? row?.pass : row?.detection;
  const { detector: kind, isPriced, ...detection } = asked?.(parameters) ?? NOTHING;
  const detector = detectorNamed(kind);
  const isDetected = detector !== null && canDetect(detector, { ...detection, parameters });
  return {
    source: { kind: 'agent', id: question.id },
    detectorKind: isDetected ? kind : null,
    ...detection,
    parameters,
    templateKey: null,
    persona: null,
    coveredFor: null,
    targetTitles: resolvedTargetPersona,
    ...(await targetsOf(host, question, detection.audiences, {
      listId: watchlist?.id ?? null,
      coveredFor: null,
    })),
    charge: await chargeOf(host, question, type, isPriced),
  };
}

async function chargeOf(
  { commands, readModels }: LaunchHost,
  { workspaceId }: LaunchQuestion,
  type: string,
  isPriced: boolean,
): Promise<Launchable['charge']> {
  const item = `agent:${type}`;
  if (!isPriceItem(item)) return null;
  if (!isPriced) return { credits: 0n, product: productOf(item, 0n) };
  return (await pricesToCharge(commands, readModels, workspaceId)).chargeOf(item);
}
