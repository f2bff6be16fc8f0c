import type { Credits } from '#kernel/values/credits.js';
import { productOf } from '#catalogue/products.js';
import type { Charge } from '#ledger/charging/charges.js';

/** The charge of one launch. Its key is the id of its request: a second launch on the same day is a new charge. */
export const enrichmentCharge = (
  credits: Credits,
  launch: {
    readonly requestId: number;
    readonly companyId: number;
    readonly personaId: number | null;
    readonly keyId: number | null;
  },
): Charge => {
  const { requestId, companyId, personaId, keyId } = launch;
  return {
    key: enrichmentKey(requestId),
    credits,
    product: productOf('launch', credits),
    cause: {
      kind: 'enrichment',
      requestId,
      companyId,
      ...(personaId === null ? {} : { personaId }),
      ...(keyId === null ? {} : { keyId }),
    },
  };
};

export const enrichmentKey = (requestId: number): string => `enrichment:${requestId}`;
