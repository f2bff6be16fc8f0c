import { decider } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { refusal } from '#kernel/values/refusal.js';
import { partnerEvents, type PartnerEvents } from './partner.events.js';

export type Partner = { readonly partnerId: number | null; readonly rates: Map<string, string> };

/** A partner and the rates that its workspaces pay; stream `partner-<id>`. */
export const partner = decider<Partner>()({
  category: 'partner',
  scope: 'global',
  strict: true,
  vocabulary: partnerEvents,
  initial: () => ({ partnerId: null, rates: new Map() }),
  on: {
    PartnerCreated: (state, { data }) => ({ ...state, partnerId: data.partnerId }),
    PartnerRateSet: (state, { data: { item, credits } }) => {
      if (credits === null) state.rates.delete(item);
      else state.rates.set(item, credits);
      return state;
    },
  },
});

export const unknownPartner = refusal({
  code: 'unknown-partner',
  kind: 'missing',
  detail: 'There is no partner with this id.',
});

/** Creates the partner; no event if a call with this id did. */
export const createPartner =
  (created: PartnerEvents['PartnerCreated']) =>
  (state: Partner): EventOf<PartnerEvents>[] =>
    state.partnerId === null ? [{ type: 'PartnerCreated', data: created }] : [];

/** Sets a rate, or withdraws it with null; no event if nothing changes. */
export const setPartnerRate =
  (rate: { readonly item: string; readonly credits: string | null }) =>
  (state: Partner): EventOf<PartnerEvents>[] => {
    if (state.partnerId === null) throw unknownPartner();
    if ((state.rates.get(rate.item) ?? null) === rate.credits) return [];
    return [{ type: 'PartnerRateSet', data: { partnerId: state.partnerId, ...rate } }];
  };
