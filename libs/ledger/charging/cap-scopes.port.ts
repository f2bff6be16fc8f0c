import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { CapScope } from '../domain/credits.events.js';

/**
 * Whether a workspace has what a cap limits: a setup, an agent or an API key. The workspace itself needs no id. The
 * features that launch work know them, so the host gives this function to the ledger.
 */
export type HasCapScope = (
  host: { readonly commands: Commands; readonly readModels: ReadModels },
  workspaceId: number,
  scope: CapScope,
  scopeId: number | null,
) => Promise<boolean>;
