import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { partner, setPartnerRate } from '#catalogue/domain/partners/partner.js';
import { parsePrice } from '#catalogue/domain/prices/prices.js';
import { CreditsInput } from '#ops/support/amounts.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const partnerRate = operatorCommand({
  name: 'partner.rate',
  summary: 'Set the negotiated rate of a partner for an item; null withdraws the rate',
  input: Type.Object({
    partner_id: described('id of the partner', Id),
    item: described('item of the rate, as in prices set', Type.String()),
    credits: described('credits, at most six decimals; null withdraws the rate', Nullable(CreditsInput)),
  }),
  output: Type.Object({ partner_id: Id, item: Type.String(), credits: Nullable(CreditsInput) }),
  async run(host, { partner_id, item, credits }, context) {
    const rate = parsePrice(item, credits);
    await host.commands.handle(partner, String(partner_id), setPartnerRate(rate), { context });
    await host.priceSet({ ...rate, partnerId: partner_id }, context);
    return { partner_id, item, credits };
  },
});
