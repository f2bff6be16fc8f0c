/**
 * The document if it belongs to the workspace, else null: another workspace's id is answered like an unknown id. For documents
 * with global ids as keys.
 */
export function ownedBy<Document extends { readonly workspaceId: number }>(
  workspaceId: number,
  document: Document | null | undefined,
): Document | null {
  return document?.workspaceId === workspaceId ? document : null;
}
