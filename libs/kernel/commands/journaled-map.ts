type Undo<Key, Value> = { readonly key: Key; readonly had: boolean; readonly value: Value | undefined };

/**
 * A map that can be reset to its last mark. Reads cost as much as in a `Map`; before the first mark writes do too. A
 * key that is set again after a deletion is last in the order.
 */
export class JournaledMap<Key, Value> extends Map<Key, Value> {
  private journal: Undo<Key, Value>[] | null = null;

  /** Sets the mark: later changes can be undone. */
  mark(): void {
    this.journal = [];
  }

  /** Undoes every change since the mark, which stays. Throws if there is no mark. */
  rewind(): void {
    if (this.journal === null) throw new Error('the map was never marked');
    const undone = this.journal;
    this.journal = null;
    for (const { key, had, value } of undone.reverse()) {
      if (had) super.set(key, value as Value);
      else super.delete(key);
    }
    this.journal = [];
  }

  override set(key: Key, value: Value): this {
    this.note(key);
    return super.set(key, value);
  }

  override delete(key: Key): boolean {
    this.note(key);
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.note(key);
    super.clear();
  }

  private note(key: Key): void {
    this.journal?.push({ key, had: this.has(key), value: this.get(key) });
  }
}
