/**
 * What a list is told by those that are bound to it, by type of event. Whoever declares these events proves that they
 * say it: see `Told`.
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
