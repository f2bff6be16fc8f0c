import { decider, type Decision } from '#kernel/commands/decider.js';
import { leadEvents, leadIdentityEvents, type LeadEvents, type LeadIdentityEvents } from './lead.events.js';

/** The id of a person in the workspace: the first append to the stream claims it. */
export type LeadIdentity = { readonly leadId: number | null; readonly rev: number };

export const leadIdentity = decider<LeadIdentity>()({
  category: 'leadIdentity',
  scope: 'workspace',
  vocabulary: leadIdentityEvents,
  strict: true,
  initial: () => ({ leadId: null, rev: 0 }),
  on: { LeadRegistered: (_, { data }) => ({ leadId: data.leadId, rev: data.rev }) },
});

export const registerLead =
  (input: LeadIdentityEvents['LeadRegistered']): Decision<LeadIdentity, typeof leadIdentityEvents> =>
  (state) =>
    state.leadId === null ? [{ type: 'LeadRegistered', data: input }] : [];

export type Lead = { readonly rev: number };

export const lead = decider<Lead>()({
  category: 'lead',
  scope: 'workspace',
  vocabulary: leadEvents,
  initial: () => ({ rev: 0 }),
  on: { LeadUpdated: (_, { data }) => ({ rev: data.rev }) },
});

/** Copies newer facts; an equal or older revision changes nothing. */
export const updateLead =
  (input: LeadEvents['LeadUpdated']): Decision<Lead, typeof leadEvents> =>
  (state) =>
    input.rev > state.rev ? [{ type: 'LeadUpdated', data: input }] : [];
