/**
 * The facts that a list reads from the events of the agents bound to it, by event type. The feature that declares
 * these events proves that they contain the facts (see `CompletePayloads`).
 */
export type ListBonds = {
  readonly AgentBound: {
    readonly listId: number;
    /** The list that it was bound to before; null for none. */
    readonly replacedListId: number | null;
  };
  readonly AgentUnbound: { readonly listId: number };
  /** null: it was bound to none. */
  readonly AgentDeleted: { readonly listId: number | null };
};
