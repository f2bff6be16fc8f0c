import type { Credits } from '#kernel/values/credits.js';
import { productOf } from '#catalogue/products.js';
import { pricesToCharge } from '#catalogue/workspace-prices.js';
import type { Charge } from '#ledger/charging/charges.js';
import type { ProcessHost } from '#process-engine/process.js';

/** The price of one launch for a workspace now; 0 if it is not billed. */
export async function launchPrice(
  { commands, readModels }: Pick<ProcessHost, 'commands' | 'readModels'>,
  workspaceId: number,
): Promise<Credits> {
  const { billing, workChargeOf } = await pricesToCharge(commands, readModels, workspaceId);
  return billing.mode === 'exempt' ? 0n : workChargeOf('launch').credits;
}

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
