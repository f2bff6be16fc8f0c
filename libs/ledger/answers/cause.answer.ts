import type { Immutable } from '#kernel/events/event.js';
import { Id, Type, type Static } from '#kernel/values/schema.js';
import { CauseSchema, type Cause } from '#ledger/domain/credits.events.js';

/** The cause of a movement, with the ids that are known. */
export const CauseAnswer = Type.Object(
  {
    kind: CauseSchema.properties.kind,
    launch_id: Type.Optional(Id),
    run_id: Type.Optional(Id),
    signal_setup_id: Type.Optional(Id),
    agent_id: Type.Optional(Id),
    subject: Type.Optional(Type.String()),
    request_id: Type.Optional(Id),
    company_id: Type.Optional(Id),
    persona_id: Type.Optional(Id),
    month: Type.Optional(Type.String()),
    /** For grants, withdrawals and adjustments. */
    reason: Type.Optional(Type.String()),
    /** For adjustments: the movement that is corrected. */
    corrects: Type.Optional(Id),
  },
  { title: 'MovementCause' },
);
export type CauseView = Immutable<Static<typeof CauseAnswer>>;

/** A cause from the ledger or a read model; an unknown id is absent or null. */
export type KnownCause = { readonly [Name in keyof Omit<Cause, 'kind'>]: Cause[Name] | null } & {
  readonly reason?: string;
  readonly corrects?: number;
};

/** The cause as it is answered, without unknown ids. */
export function causeView(kind: Cause['kind'], cause: KnownCause): CauseView {
  return {
    kind,
    launch_id: cause.launchId ?? undefined,
    // The run that lists the charge, so that a search for it finds the charge (LIV-05).
    run_id: cause.shownRunId ?? cause.runId ?? undefined,
    signal_setup_id: cause.setupId ?? undefined,
    agent_id: cause.agentId ?? undefined,
    subject: cause.subject ?? undefined,
    request_id: cause.requestId ?? undefined,
    company_id: cause.companyId ?? undefined,
    persona_id: cause.personaId ?? undefined,
    month: cause.month ?? undefined,
    reason: cause.reason,
    corrects: cause.corrects,
  };
}
