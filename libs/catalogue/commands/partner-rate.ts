import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { partner, setPartnerRate } from '#catalogue/domain/partners/partner.js';
import { parsePrice } from '#catalogue/domain/prices/prices.js';
import { CreditsInput } from '#ops/support/amounts.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const partnerRate = operatorCommand({
  name: 'partner.rate',
  summary: 'Set what a partner negotiated for an item, or withdraw the rate with null',
  input: Type.Object({
    partner_id: described('id of the partner', Id),
    item: described('what it was negotiated for, as prices set names it', Type.String()),
    credits: described('credits, at most six decimals; null withdraws the rate', Nullable(CreditsInput)),
  }),
  output: Type.Object({ partner_id: Id, item: Type.String(), credits: Nullable(CreditsInput) }),
  async run(host, { partner_id, item, credits }, context) {
    const rate = parsePrice(item, credits);
    await host.commands.handle(partner, String(partner_id), setPartnerRate(rate), {
      context,
      answer: () => null,
    });
    await host.priceSet({ ...rate, partnerId: partner_id }, context);
    return { partner_id, item, credits };
  },
});
