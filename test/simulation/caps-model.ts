import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { LaunchBudget } from '#ledger/domain/budgets.js';
import type { Hold } from '#ledger/domain/hold-credits.js';

type Held = {
  readonly at: string;
  readonly credits: bigint;
  readonly cause: { readonly [name: string]: unknown };
  isReleased: boolean;
};
type ModelCap = {
  readonly scope: string;
  readonly scopeId: unknown;
  readonly period: string;
  readonly limit: bigint;
};

/** What caps and budgets allow, summed up again from the whole ledger for every question. */
export class CapsModel {
  constructor(private readonly entries: () => readonly StoredEvent[]) {}

  allows({ credits, cause }: Hold, at: string, also: readonly Hold[] = []): boolean {
    const { caps, holds } = this.read();
    return [...caps.values()].every((cap) => {
      const counts = (of: { readonly [name: string]: unknown }) =>
        cap.scope === 'workspace' || of[`${cap.scope}Id`] === cap.scopeId;
      if (!counts(cause)) return true;
      const spent = [...holds.values()]
        .filter((each) => counts(each.cause) && isCounted(each, cap, at))
        .reduce((sum, each) => sum + each.credits, 0n);
      const taken = also.filter((each) => counts(each.cause)).reduce((sum, each) => sum + each.credits, 0n);
      return spent + taken + credits <= cap.limit;
    });
  }

  /** The keys of the covered holds of a batch, up to the first uncovered one. */
  prefix(batch: readonly Hold[], at: string, { launchId, limit }: LaunchBudget): readonly string[] {
    const { holds, closed } = this.read();
    const spent = [...holds.values()]
      .filter(({ cause, isReleased }) => cause['launchId'] === launchId && !isReleased)
      .reduce((sum, each) => sum + each.credits, 0n);
    let left = closed.has(launchId) ? 0n : limit - spent;
    const covered: Hold[] = [];
    for (const each of batch) {
      if (each.credits > left || !this.allows(each, at, covered)) break;
      left -= each.credits;
      covered.push(each);
    }
    return covered.map(({ key }) => key);
  }

  isHeld(key: string): boolean {
    return this.entries().some(({ type, data }) => type === 'CreditsHeld' && data['key'] === key);
  }

  private read() {
    const holds = new Map<unknown, Held>();
    const caps = new Map<unknown, ModelCap>();
    const closed = new Set<unknown>();
    for (const { type, data, metadata } of this.entries()) {
      const at = metadata['recordedAt'] ?? '';
      const ended = holds.get(data['movementId']);
      if (type === 'CreditsHeld') {
        const cause = data['cause'] as Held['cause'];
        const credits = BigInt(String(data['credits']));
        holds.set(data['movementId'], { at, credits, cause, isReleased: false });
      } else if (type === 'CreditsReleased' && ended !== undefined) ended.isReleased = true;
      else if (type === 'BudgetClosed') closed.add(data['launchId']);
      else if (type === 'CapRemoved') caps.delete(data['capId']);
      else if (type === 'CapSet') {
        const { capId, scope, scopeId = null, period } = data;
        const limit = BigInt(String(data['limit']));
        caps.set(capId, { scope: String(scope), scopeId, period: String(period), limit });
      }
    }
    return { holds, caps, closed };
  }
}

/** Whether a hold counts at a moment, whenever the cap was set: held in the running period and not released. */
const isCounted = (held: Held, { period }: ModelCap, at: string): boolean =>
  !held.isReleased && nameOf(period, held.at) === nameOf(period, at);

/** A name that all moments of one period share; weeks are counted from a Monday. */
function nameOf(period: string, at: string): string {
  if (period === 'day') return at.slice(0, 10);
  if (period === 'month') return at.slice(0, 7);
  return String(Math.floor((Date.parse(at) - Date.parse('2024-01-01T00:00:00.000Z')) / (7 * 86_400_000)));
}
