type Undo<Key, Value> = { readonly key: Key; readonly had: boolean; readonly value: Value | undefined };

/**
 * A map that can go back to how it was when it was last marked. Reads cost what they cost in a `Map`; before
 * the first mark writes do too. Keys that come back after a deletion stand at the end of the order.
 */
export class JournaledMap<Key, Value> extends Map<Key, Value> {
  private journal: Undo<Key, Value>[] | null = null;

  /** From here on changes can be taken back. */
  mark(): void {
    this.journal = [];
  }

  /** Takes back every change since the mark, which stays. Throws when there is no mark. */
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
