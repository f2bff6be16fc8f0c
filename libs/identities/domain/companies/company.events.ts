import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Type } from '#kernel/values/schema.js';
import { CompanyResource, OtherDomains } from './company-facts.js';

/** Facts are copied from the observed network, in the form in which the Company resource shows them. */
export const companyIdentityEvents = {
  CompanyRegistered: event(
    Type.Object({
      companyId: Id,
      identity: Type.String(),
      rev: Type.Integer(),
      facts: CompanyResource,
      otherDomains: OtherDomains,
      /** By a call that may still be refused: nothing shows it before a launch or something else names it (OP-56). */
      provisional: Type.Optional(Type.Literal(true)),
    }),
  ),
  /** Another name of a company: the handle of one that was known by its domain, or a domain sent beside its handle. */
  IdentityLinked: event(
    Type.Object({
      companyId: Id,
      identity: Type.String(),
      /** The page of a handle, as responses show it; absent: unknown. */
      networkUrl: Type.Optional(Type.String()),
      /** The company was provisional when it was linked. */
      provisional: Type.Optional(Type.Literal(true)),
    }),
  ),
};
export type CompanyIdentityEvents = PayloadsOf<typeof companyIdentityEvents>;

export const companyEvents = {
  CompanyUpdated: event(
    Type.Object({
      companyId: Id,
      rev: Type.Integer(),
      facts: CompanyResource,
      otherDomains: OtherDomains,
    }),
  ),
  /** Something else names a company that was registered by a call which may have been refused. */
  CompanyNamed: event(Type.Object({ companyId: Id })),
  /** How one background pipeline treats the company; `disabled` stops it. */
  PipelineConfigSet: event(
    Type.Object({ companyId: Id, pipelineType: Type.String(), configuration: Type.String() }),
  ),
};
export type CompanyEvents = PayloadsOf<typeof companyEvents>;
