import { Id, Type } from '#kernel/values/schema.js';
import { createPartner, partner } from '#catalogue/domain/partners/partner.js';
import { described, visibleText } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const partnerCreate = operatorCommand({
  name: 'partner.create',
  summary: 'Create a partner, who pays for the workspaces attached to it',
  input: Type.Object({
    name: described('name of the partner for operators', visibleText(255)),
  }),
  output: Type.Object({ partner_id: Id }),
  async run(host, { name }, context) {
    const partnerId = await host.ids.next('partner');
    const created = { partnerId, name, createdAt: host.clock.now().toISOString() };
    await host.commands.handle(partner, String(partnerId), createPartner(created), { context });
    return { partner_id: partnerId };
  },
});
