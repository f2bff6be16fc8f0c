import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { signalSetupKey, signalSetups } from './signal-setups.projection.js';
import { signalTemplates } from '#projections/catalogue/signal-templates/signal-templates.projection.js';

/** The current template keys by setup id. A setup whose template no longer exists is left out (USE-17). */
export async function templateKeysOf(
  readModels: ReadModels,
  workspaceId: number,
  setupIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const keys = [...new Set(setupIds)].map((setupId) => signalSetupKey(workspaceId, setupId));
  if (keys.length === 0) return new Map();
  const setups = [...(await readModels.getMany(signalSetups, keys)).values()];
  const templateIds = [...new Set(setups.map((setup) => String(setup.signal_template_id)))];
  const templates = await readModels.getMany(signalTemplates, templateIds);
  return new Map(
    setups.flatMap((setup) => {
      const template = templates.get(String(setup.signal_template_id));
      return template === undefined ? [] : [[setup.id, template.key] as const];
    }),
  );
}
