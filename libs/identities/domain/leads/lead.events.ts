import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { LeadFacts } from './lead-facts.js';

export const leadIdentityEvents = {
  LeadRegistered: event(
    Type.Object({
      leadId: Id,
      identity: Type.String(),
      rev: Type.Integer(),
      facts: LeadFacts,
      companyId: Nullable(Id),
    }),
  ),
};
export type LeadIdentityEvents = PayloadsOf<typeof leadIdentityEvents>;

export const leadEvents = {
  LeadUpdated: event(
    Type.Object({ leadId: Id, rev: Type.Integer(), facts: LeadFacts, companyId: Nullable(Id) }),
  ),
};
export type LeadEvents = PayloadsOf<typeof leadEvents>;
