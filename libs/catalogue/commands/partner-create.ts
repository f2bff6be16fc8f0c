import { Id, Type } from '#kernel/values/schema.js';
import { claimCall, keyedCall } from '#keyed-requests/operator-claim.js';
import { createPartner, partner } from '#catalogue/domain/partners/partner.js';
import { CallKey, described, visibleText } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const partnerCreate = operatorCommand({
  name: 'partner.create',
  summary: 'Create a partner, who pays for the workspaces attached to it',
  input: Type.Object({
    name: described('name of the partner for operators', visibleText(255)),
    create_key: Type.Optional(CallKey),
  }),
  output: Type.Object({ partner_id: Id }),
  async run(host, input, context) {
    const call = keyedCall('partner.create', 'create_key', input);
    const first = await claimCall(host, call, context, async () => ({
      partnerId: await host.ids.next('partner'),
    }));
    const partnerId = first.idOf('partnerId');
    const created = { partnerId, name: input.name, createdAt: host.clock.now().toISOString() };
    await host.commands.handle(partner, String(partnerId), createPartner(created), {
      context: first.context,
    });
    return { partner_id: partnerId };
  },
});
