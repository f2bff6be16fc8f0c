import { Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { consoleLinks } from '#projections/access/console-links/console-links.projection.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const LinkRow = Type.Object({
  link_id: Type.String(),
  label: Type.String(),
  made_at: Timestamp,
  made_by: Type.String(),
  expires_at: Timestamp,
  opened_at: Nullable(Timestamp),
  withdrawn_at: Nullable(Timestamp),
  /** Whether its session is valid, or the link itself if it was not opened yet. */
  active: Type.Boolean(),
});

export const linkList = operatorCommand({
  name: 'link.list',
  forFinance: true,
  summary: 'List the read-only links of a workspace, newest first',
  input: Type.Object({ workspace_id: WorkspaceId, ...pageInput }),
  output: Type.Object({ ...PageAnswer, links: Type.Array(LinkRow) }),
  async run(host, { workspace_id: workspaceId, ...asked }) {
    await host.requireWorkspace(workspaceId);
    const sort = [
      ['madeAt', 'desc'],
      ['id', 'desc'],
    ] as const;
    const { rows, numbers } = await readPage(
      host.readModels,
      consoleLinks,
      { where: { workspaceId }, sort },
      asked,
    );
    const now = host.clock.now().toISOString();
    return {
      ...numbers,
      links: rows.map(({ id, label, madeAt, madeBy, expiresAt, openedAt, withdrawnAt }) => ({
        link_id: id,
        label,
        made_at: madeAt,
        made_by: madeBy,
        expires_at: expiresAt,
        opened_at: openedAt,
        withdrawn_at: withdrawnAt,
        active: withdrawnAt === null && expiresAt > now,
      })),
    };
  },
});
