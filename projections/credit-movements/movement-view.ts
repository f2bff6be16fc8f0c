import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import type { CreditMovementDocument } from './credit-movements.projection.js';

/** What a charge was for; what is not known is left out. */
export const movementCause = (movement: CreditMovementDocument) => ({
  kind: movement.causeKind,
  launch_id: movement.launchId ?? undefined,
  run_id: movement.runId ?? undefined,
  signal_setup_id: movement.setupId ?? undefined,
  agent_id: movement.agentId ?? undefined,
  subject: movement.subject ?? undefined,
  request_id: movement.requestId ?? undefined,
  company_id: movement.companyId ?? undefined,
  persona_id: movement.personaId ?? undefined,
  month: movement.month ?? undefined,
});

/** A charge as it is listed. */
export const movementRow = (movement: CreditMovementDocument) => ({
  id: movement.id,
  created_at: movement.createdAt,
  ended_at: movement.endedAt,
  status: movement.status,
  product: movement.product,
  credits: toJsonNumber(fromStored(movement.credits)),
  payer: movement.payer,
  key: movement.key,
  cause: movementCause(movement),
});
