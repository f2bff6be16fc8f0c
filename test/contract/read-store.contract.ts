import type { MakeReadStorePlace } from './read-store-fixture.js';
import { readStoreGenerationCases } from './read-store-generations.contract.js';
import { readStoreLeaseCases } from './read-store-leases.contract.js';
import { readStorePropertyCases } from './read-store-properties.contract.js';
import { readStoreQueryCases } from './read-store-queries.contract.js';
import { readStoreRecordCases } from './read-store-records.contract.js';
import { readStoreShareCases } from './read-store-shares.contract.js';
import { readStoreWriteCases } from './read-store-writes.contract.js';

/** The guarantees of every read store; each case gets a store of its own. */
export function readStoreContract(name: string, makePlace: MakeReadStorePlace): void {
  describe(`read store contract: ${name}`, () => {
    readStoreQueryCases(makePlace);
    readStorePropertyCases(makePlace);
    readStoreWriteCases(makePlace);
    readStoreShareCases(makePlace);
    readStoreLeaseCases(makePlace);
    readStoreGenerationCases(makePlace);
    readStoreRecordCases(makePlace);
  });
}
