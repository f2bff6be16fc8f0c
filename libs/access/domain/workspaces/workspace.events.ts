import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';

export const workspaceEvents = {
  WorkspaceProvisioned: event(
    Type.Object({
      name: Type.String(),
      topAccountListId: Id,
      employeeListId: Id,
    }),
  ),
  WorkspaceBlocked: event(Type.Object({ reason: Type.String() })),
  WorkspaceUnblocked: event(Type.Object({ reason: Type.String() })),
  WorkspaceFeatureSet: event(
    Type.Object({ feature: Type.Literal('account_mapping'), enabled: Type.Boolean() }),
  ),
  /** null lifts the quota. */
  TrialQuotaSet: event(Type.Object({ quota: Nullable(Type.Integer({ minimum: 0 })) })),
};
export type WorkspaceEvents = PayloadsOf<typeof workspaceEvents>;
