import type { Commands } from '#kernel/commands/commands.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { CapScope } from '../domain/credits.events.js';

/**
 * Whether the workspace has the setup, agent or API key that a cap names. The scope `workspace` has no id. The host
 * supplies this function, because the features that launch work know their ids.
 */
export type HasCapScope = (
  host: { readonly commands: Commands; readonly readModels: ReadModels },
  workspaceId: number,
  scope: CapScope,
  scopeId: number | null,
) => Promise<boolean>;
