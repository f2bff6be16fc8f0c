import type { Cause } from './credits.events.js';

/** Where a movement came from, as it is answered; only the ids that are known. */
export type CauseView = {
  readonly kind: Cause['kind'];
  readonly launch_id?: number;
  readonly run_id?: number;
  readonly signal_setup_id?: number;
  readonly agent_id?: number;
  readonly subject?: string;
  readonly request_id?: number;
  readonly company_id?: number;
  readonly persona_id?: number;
  readonly month?: string;
  /** Of grants, withdrawals and adjustments. */
  readonly reason?: string;
  /** Of adjustments: the movement that was wrong. */
  readonly corrects?: number;
};

export function causeView(cause: Cause): CauseView {
  return {
    kind: cause.kind,
    launch_id: cause.launchId,
    run_id: cause.runId,
    signal_setup_id: cause.setupId,
    agent_id: cause.agentId,
    subject: cause.subject,
    request_id: cause.requestId,
    company_id: cause.companyId,
    persona_id: cause.personaId,
    month: cause.month,
  };
}
