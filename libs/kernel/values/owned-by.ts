/**
 * The document if it is the workspace's own, else null: a foreign id is answered like one that never existed.
 * For documents that are keyed by their global id.
 */
export function ownedBy<Document extends { readonly workspaceId: number }>(
  workspaceId: number,
  document: Document | null | undefined,
): Document | null {
  return document?.workspaceId === workspaceId ? document : null;
}
