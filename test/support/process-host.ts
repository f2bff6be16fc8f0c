import { blocksIn } from '#access/blocks.js';
import { foundTopAccounts } from '#accounts/top-accounts/found-top-accounts.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { unfollowed } from '#kernel/ports/tracing.port.js';
import type { ProcessHost } from '#process-engine/process.js';
import { offlineResearcher } from '#signals/detection/research/offline-researcher.js';
import type { LedgerHost } from '../ops/ledger-host.js';
import { nothingCovered } from './no-work.js';

/** The host of processes on the files of a ledger host. */
export const processHostOf = (house: LedgerHost, readModels: ReadModels = house.readModels): ProcessHost => ({
  ...house,
  readModels,
  network: house.network.source,
  directory: house.network.directory,
  coverage: nothingCovered,
  topAccounts: foundTopAccounts({ readModels, directory: house.network.directory }),
  researcher: offlineResearcher,
  networkBaseUrl: 'https://www.network.example',
  startedAt: new Date(0),
  isParked: async () => false,
  blockOf: blocksIn(readModels),
  step: unfollowed,
});
