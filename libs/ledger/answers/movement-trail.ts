import { sourceOfKey } from '#domain/monitoring/monitoring.events.js';
import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import type { ReadModels, ViewShape } from '#kernel/ports/read-store.port.js';
import { agentKey, agents, type AgentDocument } from '#projections/agents/agents.projection.js';
import { companies, companyKey, type CompanyDocument } from '#projections/companies/companies.projection.js';
import {
  creditMovementKey,
  creditMovements,
  type CreditMovementDocument,
} from '#projections/credit-movements/credit-movements.projection.js';
import {
  creditPostingKey,
  creditPostings,
  type CreditPostingDocument,
} from '#projections/credit-postings/credit-postings.projection.js';
import { detections, type DetectionDocument } from '#projections/detections/detections.projection.js';
import { listKey, lists, type ListDocument } from '#projections/lists/lists.projection.js';
import {
  monitoredUnitKey,
  monitoredUnits,
  wantedByAt,
  type MonitoredUnitDocument,
} from '#projections/monitored-units/monitored-units.projection.js';
import { personaKey, personas, type PersonaDocument } from '#projections/personas/personas.projection.js';
import {
  signalRunKey,
  signalRuns,
  type SignalRunDocument,
} from '#projections/signal-runs/signal-runs.projection.js';
import {
  signalSetupKey,
  signalSetups,
  type SignalSetupDocument,
} from '#projections/signal-setups/signal-setups.projection.js';
import { movementRow } from './movement.answer.js';

const MOST_CORRECTIONS = 100;
const MOST_SOURCES = 100;
const NO_ORIGIN = {
  signal: null,
  run: null,
  signal_setup: null,
  agent: null,
  company: null,
  persona: null,
  wanted_by: null,
};

/**
 * A movement of the workspace with what its cause names, and where its ledger entries stand (`revisions`). Null
 * for one that does not exist or is somebody else's.
 */
export async function movementTrail(readModels: ReadModels, workspaceId: number, movementId: number) {
  const [charge, posting] = await Promise.all([
    readModels.get<CreditMovementDocument>(creditMovements, creditMovementKey(movementId)),
    readModels.get<CreditPostingDocument>(creditPostings, creditPostingKey(movementId)),
  ]);
  const ownCharge = ownedBy(workspaceId, charge);
  const ownPosting = ownedBy(workspaceId, posting);
  if (ownCharge === null && ownPosting === null) return null;
  const corrections = await correctionsOf(readModels, workspaceId, movementId);
  if (ownCharge !== null) {
    const origin = await originOf(readModels, ownCharge);
    return { movement: { ...chargeView(ownCharge), origin, corrections }, revisions: revisionsOf(ownCharge) };
  }
  if (ownPosting === null) return null;
  return {
    movement: { ...postingView(ownPosting), origin: NO_ORIGIN, corrections },
    revisions: [ownPosting.revision],
  };
}

function chargeView(charge: CreditMovementDocument) {
  const { id, status, ...row } = movementRow(charge);
  return { id, kind: 'charge' as const, status, ...row };
}

const postingView = (posting: CreditPostingDocument) => ({
  id: posting.id,
  kind: posting.kind,
  status: 'posted' as const,
  created_at: posting.createdAt,
  ended_at: posting.createdAt,
  product: null,
  credits: toJsonNumber(fromStored(posting.credits)),
  payer: 'workspace' as const,
  key: posting.key,
  cause: { kind: 'operator' as const, reason: posting.reason, corrects: posting.corrects ?? undefined },
});

const revisionsOf = ({ heldRevision, endedRevision }: CreditMovementDocument): readonly number[] =>
  endedRevision === null ? [heldRevision] : [heldRevision, endedRevision];

async function originOf(readModels: ReadModels, charge: CreditMovementDocument) {
  const { workspaceId, runId, setupId, agentId, companyId, personaId } = charge;
  // Their keys or their documents carry the workspace: what an id of another one names is never shown.
  const find = async <Document extends { readonly workspaceId: number }>(
    view: ViewShape,
    id: number | null,
    keyOf: (id: number) => string,
  ): Promise<Document | null> =>
    id === null ? null : ownedBy(workspaceId, await readModels.get<Document>(view, keyOf(id)));
  const [signal, run, setup, agent, company, persona, wantedBy] = await Promise.all([
    signalOf(readModels, charge),
    find<SignalRunDocument>(signalRuns, runId, signalRunKey),
    find<SignalSetupDocument>(signalSetups, setupId, (id) => signalSetupKey(workspaceId, id)),
    find<AgentDocument>(agents, agentId, (id) => agentKey(workspaceId, id)),
    find<CompanyDocument>(companies, companyId, companyKey),
    find<PersonaDocument>(personas, personaId, (id) => personaKey(workspaceId, id)),
    wantedByOf(readModels, charge),
  ]);
  return {
    signal: signal && {
      id: signal.id,
      signal_type: signal.signalType,
      detected_at: signal.detectedAt,
      source_url: signal.sourceUrl,
    },
    run: run && { id: run.id, stage: run.stage, created_at: run.createdAt },
    signal_setup: setup && { id: setup.id, name: setup.name },
    agent: agent && { id: agent.id, name: agent.name },
    company: company && { id: company.id, name: company.facts.name },
    persona: persona && { id: persona.id, name: persona.tag },
    wanted_by: wantedBy,
  };
}

/** What a charge paid for; of several signals of one charge the last. */
async function signalOf(
  readModels: ReadModels,
  { workspaceId, id }: CreditMovementDocument,
): Promise<DetectionDocument | null> {
  const [signal = null] = await readModels.find<DetectionDocument>(detections, {
    where: { workspaceId, movementId: id },
    sort: [
      ['detectedAt', 'desc'],
      ['id', 'desc'],
    ],
    limit: 1,
  });
  return signal;
}

/** Why an account was wanted when the month began that this charge has paid; null for another charge. */
async function wantedByOf(readModels: ReadModels, charge: CreditMovementDocument) {
  const { workspaceId, causeKind, companyId, personaId, createdAt } = charge;
  if (causeKind !== 'monitoring' || companyId === null || personaId === null) return null;
  const key = monitoredUnitKey(workspaceId, companyId, personaId);
  const unit = await readModels.get<MonitoredUnitDocument>(monitoredUnits, key);
  if (unit === null) return null;
  const sources = wantedByAt(unit, createdAt)
    .slice(0, MOST_SOURCES)
    .flatMap((source) => sourceOfKey(source) ?? []);
  const listIds = [...new Set(sources.flatMap(({ listId }) => listId ?? []))];
  const known = await readModels.getMany<ListDocument>(
    lists,
    listIds.map((id) => listKey(workspaceId, id)),
  );
  return sources.map(({ kind, listId = null, memberId = null, accountId = null }) => ({
    kind,
    list:
      listId === null ? null : { id: listId, name: known.get(listKey(workspaceId, listId))?.name ?? null },
    member_id: memberId,
    account_id: accountId,
  }));
}

async function correctionsOf(readModels: ReadModels, workspaceId: number, movementId: number) {
  const found = await readModels.find<CreditPostingDocument>(creditPostings, {
    where: { workspaceId, corrects: movementId },
    sort: [['id', 'asc']],
    limit: MOST_CORRECTIONS,
  });
  return found.map(({ id, createdAt, credits, reason }) => ({
    movement_id: id,
    at: createdAt,
    credits: toJsonNumber(fromStored(credits)),
    reason,
  }));
}
