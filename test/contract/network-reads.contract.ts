import type { NetworkStore } from '#network/network-store.js';
import { companiesContract } from './network-store/companies.js';
import { interactionsContract } from './network-store/interactions.js';
import { movesContract } from './network-store/moves.js';
import type { NetworkStoreFixture } from './network-store.contract.js';

/** The guarantees of every network store for reads without keywords. */
export function networkReadsContract(name: string, fixture: NetworkStoreFixture): void {
  describe(`reads of the network store on ${name}`, () => {
    const opened: NetworkStore[] = [];
    const fresh = async (): Promise<NetworkStore> => {
      const one = await fixture.open();
      opened.push(one);
      return one;
    };
    afterAll(async () => {
      for (const one of opened) await one.close();
    });

    interactionsContract(fresh);
    movesContract(fresh);
    companiesContract(fresh);
  });
}
