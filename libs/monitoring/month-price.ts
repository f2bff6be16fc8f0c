import type { Credits } from '#kernel/values/credits.js';
import { pricesToCharge } from '#catalogue/workspace-prices.js';
import type { ProcessHost } from '#process-engine/process.js';

/** The price of a monitored month for a workspace now: 0 if it is not billed, null if a month has no price yet. */
export async function monthPrice(
  {
    commands,
    readModels,
  }: Pick<ProcessHost, 'readModels'> & {
    readonly commands: Pick<ProcessHost['commands'], 'load'>;
  },
  workspaceId: number,
): Promise<Credits | null> {
  const { billing, chargeOf } = await pricesToCharge(commands, readModels, workspaceId);
  return billing.mode === 'exempt' ? 0n : (chargeOf('bucket:essential')?.credits ?? null);
}
