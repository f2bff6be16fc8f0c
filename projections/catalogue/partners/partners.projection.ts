import type { PartnerEvents } from '#catalogue/domain/partners/partner.events.js';
import { projection } from '#kernel/projections/projection.js';

/** A partner and all its rates in one document. */
export type PartnerDocument = {
  readonly id: number;
  readonly name: string;
  /** Stored credits by price item; an item without an entry costs the list price. */
  readonly rates: { readonly [item: string]: string };
};

export const partnerKey = (partnerId: number): string => String(partnerId);

export const partners = projection<PartnerDocument, PartnerEvents>()({
  name: 'partners',
  version: 1,
  indexes: { byId: ['id'] },
  key: (event) => partnerKey(event.data.partnerId),
  on: {
    PartnerCreated: (_, { data }) => ({ id: data.partnerId, name: data.name, rates: {} }),
    PartnerRateSet: (partner, { data: { item, credits } }) => {
      if (partner === null) return null;
      const others = Object.fromEntries(Object.entries(partner.rates).filter(([known]) => known !== item));
      return { ...partner, rates: credits === null ? others : { ...others, [item]: credits } };
    },
  },
});
