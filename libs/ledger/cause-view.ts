import type { Cause } from '#domain/credits/credits.events.js';
import type { CauseView } from '#domain/credits/ledger-answers.js';

/** A cause as it is answered; what is not known is left out. */
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
