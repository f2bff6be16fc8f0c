import type { ReadModels, ViewOf } from '#kernel/ports/read-store.port.js';
import { ownedBy } from '#kernel/values/owned-by.js';
import type { Refusal } from '#kernel/values/refusal.js';

/**
 * The document of a key, where it is the workspace's own. Throws what `unknown` makes where there is none, and for
 * somebody else's as well: a workspace does not learn what others have.
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
