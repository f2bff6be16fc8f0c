import type { Registry } from 'prom-client';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import {
  creditMovementKey,
  creditMovements,
} from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { counterByName } from './counter-by-name.js';
import type { ChargeTally, MovementTally } from './movement-tally.js';

/** Holds, captures and releases of this process, and their credits, by product. */
export function ledgerMetrics(registry: Registry, movements: MovementTally, readModels: ReadModels): void {
  const byName = counterByName(registry);
  const resolve = (): Promise<void> =>
    movements.resolve(async (ids) => {
      const keys = ids.map(creditMovementKey);
      const found = await readModels.getMany(creditMovements, keys);
      return new Map([...found.values()].map((movement) => [movement.id, movement]));
    });
  const metrics = (noun: string, participle: string, { movements: moved, credits }: ChargeTally): void => {
    byName(`ledger_${noun}s_total`, `Movements ${participle}`, 'product', moved, resolve);
    const help = `Credits ${participle}, as floating-point numbers; the exact sums are in the ledger`;
    byName(`ledger_${participle}_credits_total`, help, 'product', credits, resolve);
  };
  metrics('hold', 'held', movements.held);
  metrics('capture', 'captured', movements.captured);
  metrics('release', 'released', movements.released);
}
