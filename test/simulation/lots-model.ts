/**
 * Lots implemented again, as simply as possible: the oracle of the tests of lots. It shares no code with
 * libs/ledger/domain. Amounts are whole micro-credits. Lot 0 is all credit without terms.
 */
export type ModelTerms = {
  readonly expires: string | null;
  readonly priority: number;
  readonly promotional: boolean;
};
export type ModelLot = ModelTerms & {
  readonly id: number;
  readonly at: string;
  granted: number;
  free: number;
  held: number;
  captured: number;
  withdrawn: number;
  expired: number;
};

const PLAIN: ModelTerms = { expires: null, priority: 50, promotional: false };

export class LotsModel {
  readonly lots = new Map<number, ModelLot>();
  /** All expiries: the lot, the amount, and the recording time. */
  readonly expiries: string[] = [];
  private readonly withdrawn = new Map<number, readonly (readonly [lot: ModelLot, credits: number])[]>();
  private readonly holds = new Map<number, readonly (readonly [lot: ModelLot, credits: number])[]>();

  constructor() {
    this.open(0, PLAIN, '', 0);
  }

  get available(): number {
    return this.sum('free');
  }

  sum(pot: 'granted' | 'free' | 'held' | 'captured' | 'withdrawn' | 'expired'): number {
    return [...this.lots.values()].reduce((sum, lot) => sum + lot[pot], 0);
  }

  /** Expires lots that have ended by a time, each at its own time. */
  pass(now: string): void {
    const over = [...this.lots.values()].filter(({ expires }) => expires !== null && expires <= now);
    for (const lot of over.sort((a, b) => String(a.expires).localeCompare(String(b.expires)) || a.id - b.id))
      this.expire(lot, lot.free, lot.expires ?? '');
  }

  grant(id: number, credits: number, terms: ModelTerms | null, now: string): void {
    if (terms !== null) return void this.open(id, terms, now, credits);
    const plain = this.lot(0);
    plain.granted += credits;
    plain.free += credits;
  }

  hold(id: number, credits: number): boolean {
    if (credits > this.available) return false;
    this.holds.set(id, this.take(credits, 'held'));
    return true;
  }

  withdraw(credits: number, id = -1): boolean {
    if (credits > this.available) return false;
    this.withdrawn.set(id, this.take(credits, 'withdrawn'));
    return true;
  }

  /** The amounts that a hold or a withdrawal has taken from each lot, as `lot credits`. */
  taken(id: number, from: 'held' | 'withdrawn'): readonly string[] {
    const parts = (from === 'held' ? this.holds : this.withdrawn).get(id) ?? [];
    return parts.map(([lot, credits]) => `${lot.id} ${credits}`);
  }

  end(id: number, as: 'captured' | 'free', now: string): void {
    for (const [lot, credits] of this.holds.get(id) ?? []) {
      lot.held -= credits;
      lot[as] += credits;
      if (as === 'free' && lot.expires !== null && lot.expires <= now) this.expire(lot, credits, now);
    }
    this.holds.delete(id);
  }

  private take(credits: number, into: 'held' | 'withdrawn'): readonly (readonly [ModelLot, number])[] {
    const taken: (readonly [ModelLot, number])[] = [];
    let open = credits;
    for (const lot of [...this.lots.values()].sort(inOrder)) {
      const part = Math.min(open, lot.free);
      lot.free -= part;
      lot[into] += part;
      open -= part;
      if (part > 0) taken.push([lot, part]);
    }
    return taken;
  }

  private expire(lot: ModelLot, credits: number, at: string): void {
    if (credits === 0) return;
    lot.free -= credits;
    lot.expired += credits;
    this.expiries.push(`${lot.id} ${credits} ${at}`);
  }

  private open(id: number, terms: ModelTerms, at: string, credits: number): void {
    const nothing = { held: 0, captured: 0, withdrawn: 0, expired: 0 };
    this.lots.set(id, { id, at, ...terms, granted: credits, free: credits, ...nothing });
  }

  private lot(id: number): ModelLot {
    const lot = this.lots.get(id);
    if (lot === undefined) throw new Error(`there is no lot ${id}`);
    return lot;
  }
}

function inOrder(a: ModelLot, b: ModelLot): number {
  const end = ({ expires }: ModelLot): number => (expires === null ? Infinity : Date.parse(expires));
  if (a.priority !== b.priority) return a.priority - b.priority;
  if (end(a) !== end(b)) return end(a) < end(b) ? -1 : 1;
  if (a.promotional !== b.promotional) return a.promotional ? -1 : 1;
  return a.at === b.at ? a.id - b.id : a.at < b.at ? -1 : 1;
}
