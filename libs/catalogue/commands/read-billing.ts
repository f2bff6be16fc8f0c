import { fieldError } from '#kernel/values/refusal.js';
import type { Billing } from '#ledger/domain/books.js';
import { partner, unknownPartner } from '#catalogue/domain/partners/partner.js';
import { invalidInput } from '#ops/support/amounts.js';
import type { OperatorHost } from '#ops/support/operator-command.js';

/** The payer as an operator names it; `self` by default. Throws for an unknown partner. */
export async function readBilling(
  host: OperatorHost,
  { billing = 'self', partner_id }: { readonly billing?: Billing['mode']; readonly partner_id?: number },
): Promise<Billing> {
  if (billing !== 'partner') {
    if (partner_id !== undefined) {
      throw invalidInput({ errors: fieldError('partner_id', 'is only for billing "partner"') });
    }
    return { mode: billing };
  }
  if (partner_id === undefined) throw invalidInput({ errors: fieldError('partner_id', 'is required') });
  const isKnown = await host.commands.load(
    partner,
    String(partner_id),
    ({ partnerId }) => partnerId !== null,
  );
  if (!isKnown) throw unknownPartner({ errors: fieldError('partner_id', 'is not a partner') });
  return { mode: 'partner', partnerId: partner_id };
}
