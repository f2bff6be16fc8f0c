import type { ReadModels, ViewOf } from '#kernel/ports/read-store.port.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import type { Refusal } from '#kernel/values/refusal.js';

/**
 * The document of a key, if it belongs to the workspace. Throws the refusal of `unknown` if there is none, and also if it
 * belongs to another workspace, so that its existence is not revealed.
 */
export async function ownDocument<Document extends { readonly workspaceId: number }>(
  readModels: ReadModels,
  workspaceId: number,
  {
    view,
    key,
    unknown,
  }: { readonly view: ViewOf<Document>; readonly key: string; readonly unknown: () => Refusal },
): Promise<Document> {
  const own = ownedBy(workspaceId, await readModels.get(view, key));
  if (own === null) throw unknown();
  return own;
}
