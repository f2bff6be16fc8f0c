import { companiesContract } from './network-store/companies.js';
import { interactionsContract } from './network-store/interactions.js';
import { movesContract } from './network-store/moves.js';
import { freshNetworks } from './network-store/observed.js';
import type { NetworkStoreFixture } from './network-store.contract.js';

/** The guarantees of every network store for reads without keywords. */
export function networkReadsContract(name: string, fixture: NetworkStoreFixture): void {
  describe(`reads of the network store on ${name}`, () => {
    const fresh = freshNetworks(fixture.open);
    interactionsContract(fresh);
    movesContract(fresh);
    companiesContract(fresh);
  });
}
