/**
 * The months of monitored accounts by the rules (OP-26, OP-27), as simply as possible: everything is computed again
 * at every moment. It shares no code with the service. Amounts in whole credits, times in milliseconds.
 */
const HOUR = 3_600_000;

export type ModelMember = { company: string; followed: boolean; own: boolean | null };
export type ModelList = {
  active: boolean;
  deleted: boolean;
  monitored: boolean;
  personas: readonly number[];
  members: Map<number, ModelMember>;
};
type Unit = {
  company: string;
  persona: number;
  sources: Set<string>;
  /** If requested: since when a month is missing or until when it lasts. */
  lapses: number | null;
  refused: boolean;
  until: number | null;
  anchor: number;
};

export class MonitoringModel {
  balance = 0;
  price: number | null = 5;
  readonly personas = new Map<number, boolean>();
  readonly lists = new Map<number, ModelList>();
  readonly units = new Map<string, Unit>();
  /** The paid months: company, persona, credits, first and last moment, in the order of the ledger. */
  readonly paid: string[] = [];
  retryAt: number | null = null;
  isWoken = false;

  constructor(private readonly idOf: (company: string) => number) {}

  /** Everything that happens at a moment, after the callers' changes. */
  at(now: number): void {
    this.follow(now);
    if (this.isWoken || (this.retryAt !== null && this.retryAt <= now)) this.retry(now);
    this.isWoken = false;
    const due = this.inOrder((unit) => !unit.refused && (unit.lapses ?? Infinity) <= now);
    const refused = this.pay(due, now);
    const oldest = refused[0]?.lapses ?? null;
    for (const unit of refused) unit.refused = true;
    if (oldest !== null) this.retryAt ??= nextHour(oldest, now);
  }

  /** The next time at which something happens by itself. */
  next(): number {
    const lapses = [...this.units.values()].flatMap((unit) => (unit.refused ? [] : (unit.lapses ?? [])));
    return Math.min(...lapses, this.retryAt ?? Infinity);
  }

  private follow(now: number): void {
    const wishes = new Map<string, Set<string>>();
    for (const [listId, list] of this.lists) {
      if (!list.active || list.deleted) continue;
      for (const [memberId, { company, followed, own }] of list.members) {
        if (!followed || !(own ?? list.monitored)) continue;
        for (const [persona, isActive] of this.personas) {
          const isMeant = list.personas.length === 0 || list.personas.includes(persona);
          if (!isActive || !isMeant) continue;
          const name = `${company}:${persona}`;
          wishes.set(name, (wishes.get(name) ?? new Set()).add(`${listId}:${memberId}`));
        }
      }
    }
    for (const [name, sources] of wishes) {
      const [company = '', persona = ''] = name.split(':');
      const unit = this.units.get(name) ?? {
        company,
        persona: Number(persona),
        sources: new Set<string>(),
        lapses: null,
        refused: false,
        until: null,
        anchor: 0,
      };
      this.units.set(name, unit);
      unit.sources = sources;
      unit.lapses ??= unit.until !== null && unit.until >= now ? unit.until : now;
    }
    for (const [name, unit] of this.units) {
      if (wishes.has(name)) continue;
      unit.sources = new Set();
      unit.lapses = null;
      unit.refused = false;
    }
  }

  private retry(now: number): void {
    const left = this.pay(
      this.inOrder(({ refused }) => refused),
      now,
    );
    if (left.length > 0) this.retryAt = nextHour(this.retryAt ?? now, now);
    else this.retryAt = null;
  }

  private inOrder(isMeant: (unit: Unit) => boolean): readonly Unit[] {
    return [...this.units.values()]
      .filter((unit) => unit.lapses !== null && isMeant(unit))
      .sort(
        (one, other) =>
          (one.lapses ?? 0) - (other.lapses ?? 0) ||
          this.idOf(one.company) - this.idOf(other.company) ||
          one.persona - other.persona,
      );
  }

  /** Pays as far as the balance allows; returns the others. */
  private pay(units: readonly Unit[], now: number): readonly Unit[] {
    const price = this.price;
    if (price === null) return units;
    for (const [index, unit] of units.entries()) {
      if (price > this.balance) return units.slice(index);
      this.balance -= price;
      const lapsed = unit.lapses ?? now;
      const from = unit.refused || now - lapsed > HOUR ? now : lapsed;
      unit.anchor = from === unit.until ? unit.anchor : new Date(from).getUTCDate();
      unit.until = monthAfter(from, unit.anchor);
      unit.lapses = unit.until;
      unit.refused = false;
      this.paid.push([unit.company, unit.persona, price, from, unit.until].join(' '));
    }
    return [];
  }
}

function nextHour(anchor: number, now: number): number {
  let next = anchor;
  while (next <= now) next += HOUR;
  return next;
}

/** The same time of day in the next month (UTC), on the anchor day or the last day of the month. */
function monthAfter(from: number, anchor: number): number {
  const start = new Date(from);
  const target = new Date(from);
  target.setUTCDate(1);
  target.setUTCMonth(start.getUTCMonth() + 1);
  for (let day = anchor; ; day -= 1) {
    const end = new Date(target);
    end.setUTCDate(day);
    if (end.getUTCMonth() === target.getUTCMonth()) return end.getTime();
  }
}
