import { shortcutsIn } from '#signals/domain/runs/shortcut-facts.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { namedByCharge, type ChargeOrigin } from '#ledger/answers/charge-origin.js';
import type { CreditMovementDocument } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { agentKey, agents } from '#projections/signals/agents/agents.projection.js';
import { detections, type DetectionDocument } from '#projections/signals/detections/detections.projection.js';
import { signalRunKey, signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { signalSetupKey, signalSetups } from '#projections/signals/signal-setups/signal-setups.projection.js';
import { provenancesOf } from '#projections/sources/sources/provenance.js';

/** The signal that a charge paid for, with its run and the agent or setup. */
export const launchOfCharge: ChargeOrigin = async (readModels, charge) => {
  const { workspaceId, runId, setupId, agentId } = charge;
  const [signal, run, setup, agent] = await Promise.all([
    signalOf(readModels, charge),
    namedByCharge(readModels, charge, signalRuns, runId, signalRunKey),
    namedByCharge(readModels, charge, signalSetups, setupId, (id) => signalSetupKey(workspaceId, id)),
    namedByCharge(readModels, charge, agents, agentId, (id) => agentKey(workspaceId, id)),
  ]);
  const [provenance = []] = signal === null ? [] : await provenancesOf(readModels, [signal]);
  return {
    signal: signal && {
      id: signal.id,
      signal_type: signal.signalType,
      detected_at: signal.detectedAt,
      source_url: shortcutsIn(signal).sourceUrl,
      provenance,
    },
    run: run && { id: run.shownAs, stage: run.stage, created_at: run.createdAt },
    signal_setup: setup && { id: setup.id, name: setup.name },
    agent: agent && { id: agent.id, name: agent.name },
  };
};

/** The most signals of a charge among which its own is looked for: those of one launch about one person. */
const MOST_SIGNALS = 100;

/** The signal for which a charge was made; the first one that it paid for, if that one was not recorded. */
async function signalOf(
  readModels: ReadModels,
  { workspaceId, id, subject }: CreditMovementDocument,
): Promise<DetectionDocument | null> {
  const found = await readModels.find(detections, {
    where: { workspaceId, movementId: id },
    sort: [
      ['detectedAt', 'asc'],
      ['id', 'asc'],
    ],
    limit: MOST_SIGNALS,
  });
  return found.find((signal) => signal.subject === subject) ?? found[0] ?? null;
}
