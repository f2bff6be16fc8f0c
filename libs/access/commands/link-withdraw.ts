import { Type } from '#kernel/values/schema.js';
import {
  consoleLink,
  consoleLinkStreamId,
  unknownLink,
  withdrawLink,
} from '#access/domain/links/console-link.js';
import { consoleLinks } from '#projections/access/console-links/console-links.projection.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

export const linkWithdraw = operatorCommand({
  name: 'link.withdraw',
  summary: 'Withdraw a read-only link: it cannot be opened, and its session ends with the next request',
  input: Type.Object({
    workspace_id: WorkspaceId,
    link_id: described('id of the link', Type.String({ minLength: 1, maxLength: 64 })),
  }),
  output: Type.Object({ link_id: Type.String(), withdrawn: Type.Literal(true) }),
  async run(host, { workspace_id: workspaceId, link_id: linkId }, context) {
    const link = await host.readModels.get(consoleLinks, linkId);
    if (link === null || link.workspaceId !== workspaceId) throw unknownLink();
    await host.commands.handle(consoleLink, consoleLinkStreamId(link.hash), withdrawLink(), { context });
    return { link_id: linkId, withdrawn: true };
  },
});
