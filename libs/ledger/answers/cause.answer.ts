import type { Immutable } from '#kernel/events/event.js';
import { Id, Type, type Static } from '#kernel/values/schema.js';
import { CauseSchema, type Cause } from '#ledger/domain/credits.events.js';

/** Where a movement came from; only the ids that are known. */
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
    /** Of grants, withdrawals and adjustments. */
    reason: Type.Optional(Type.String()),
    /** Of adjustments: the movement that was wrong. */
    corrects: Type.Optional(Id),
  },
  { title: 'MovementCause' },
);
export type CauseView = Immutable<Static<typeof CauseAnswer>>;

/** A cause as the ledger or a read model has it; what is not known is absent or null. */
export type KnownCause = { readonly [Name in keyof Omit<Cause, 'kind'>]: Cause[Name] | null } & {
  readonly reason?: string;
  readonly corrects?: number;
};

/** A cause as it is answered; what is not known is left out. */
export function causeView(kind: Cause['kind'], cause: KnownCause): CauseView {
  return {
    kind,
    launch_id: cause.launchId ?? undefined,
    run_id: cause.runId ?? undefined,
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
