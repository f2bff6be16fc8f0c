import { fromStored, MICROS_PER_CREDIT } from '#kernel/values/credits.js';
import { tally, type Tally } from './tally.js';

/** The product of a charge and its amount as stored text. */
export type ChargedProduct = { readonly product: string; readonly credits: string };

/** Looks up the charges with these ids; charges that are not found yet are left out. */
export type FindCharges = (movementIds: readonly number[]) => Promise<ReadonlyMap<number, ChargedProduct>>;

/** The number of charges and credits by product. The sum of credits is approximate and never used in the ledger. */
export type ChargeTally = { readonly movements: Tally; readonly credits: Tally };

/**
 * Holds, captures and releases by product. The end of a charge names only its movement: the product is kept in memory
 * for the last holds of this process and looked up for others.
 */
export type MovementTally = {
  readonly held: ChargeTally;
  readonly captured: ChargeTally;
  readonly released: ChargeTally;
  readonly hold: (movementId: number, charge: ChargedProduct) => void;
  readonly end: (how: 'captured' | 'released', movementId: number) => void;
  /** Counts the ends with a pending look-up; concurrent calls share one. Charges that are not found stay pending. */
  readonly resolve: (find: FindCharges) => Promise<void>;
};

/** The maximum number of open holds in memory, and of ends with a pending look-up. */
const MOST_REMEMBERED = 10_000;
/** The product of an end that was not looked up in time. */
const UNKNOWN: ChargedProduct = { product: 'unknown', credits: '0' };

const chargeTally = (): ChargeTally => ({ movements: tally(), credits: tally() });

export function movementTally(mostRemembered = MOST_REMEMBERED): MovementTally {
  const open = new Map<number, ChargedProduct>();
  const tallies = { held: chargeTally(), captured: chargeTally(), released: chargeTally() };
  let unresolved: { readonly how: 'captured' | 'released'; readonly movementId: number }[] = [];
  let resolving: Promise<void> | null = null;

  const count = ({ movements, credits }: ChargeTally, charge: ChargedProduct): void => {
    movements.add(charge.product);
    credits.add(charge.product, Number(fromStored(charge.credits)) / Number(MICROS_PER_CREDIT));
  };

  async function lookUp(find: FindCharges): Promise<void> {
    const asked = [...unresolved];
    if (asked.length === 0) return;
    const found = await find(asked.map(({ movementId }) => movementId));
    // Ends that were added during the look-up are behind those that were looked up.
    const later = unresolved.slice(asked.length);
    const missing = asked.filter(({ how, movementId }) => {
      const charge = found.get(movementId);
      if (charge !== undefined) count(tallies[how], charge);
      return charge === undefined;
    });
    unresolved = [...missing, ...later];
  }

  return {
    ...tallies,
    hold(movementId, charge) {
      count(tallies.held, charge);
      if (open.size >= mostRemembered) {
        // oldest first: a Map keeps the order of insertion
        for (const oldest of open.keys()) {
          open.delete(oldest);
          break;
        }
      }
      open.set(movementId, charge);
    },
    end(how, movementId) {
      const charge = open.get(movementId);
      if (charge !== undefined) {
        open.delete(movementId);
        count(tallies[how], charge);
      } else if (unresolved.length < mostRemembered) unresolved.push({ how, movementId });
      else count(tallies[how], UNKNOWN);
    },
    resolve: (find) => (resolving ??= lookUp(find).finally(() => (resolving = null))),
  };
}
