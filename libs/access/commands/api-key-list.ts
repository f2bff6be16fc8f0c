import { Id, Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import { WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const KeyRow = Type.Object({
  key_id: Id,
  label: Type.String(),
  /** The beginning of the key: nothing else of the key is stored. */
  prefix: Type.String(),
  revoked: Type.Boolean(),
  /** It changes and spends nothing. */
  read_only: Type.Boolean(),
  /** null: never used, or not since the read store was lost. */
  last_used_at: Nullable(Timestamp),
});

export const apiKeyList = operatorCommand({
  name: 'apikey.list',
  forFinance: true,
  summary: 'List the API keys of a workspace with the minute of their last use',
  input: Type.Object({ workspace_id: WorkspaceId, ...pageInput }),
  output: Type.Object({ ...PageAnswer, keys: Type.Array(KeyRow) }),
  async run({ requireWorkspace, readModels, apiKeyUses }, { workspace_id: workspaceId, ...asked }) {
    await requireWorkspace(workspaceId);
    const wanted = { where: { workspaceId }, sort: [['id', 'asc']] as const };
    const { rows, numbers } = await readPage(readModels, apiKeys, wanted, asked);
    const uses = await apiKeyUses.lastUses(rows.map(({ id }) => id));
    return {
      ...numbers,
      keys: rows.map(({ id, label, prefix, revoked, readOnly }) => ({
        key_id: id,
        label,
        prefix,
        revoked,
        read_only: readOnly,
        last_used_at: uses.get(id) ?? null,
      })),
    };
  },
});
