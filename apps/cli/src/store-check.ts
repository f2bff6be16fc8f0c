import { Option, type Command } from 'commander';
import { readEventStoreUrl, readSettings } from '#runtime/settings.js';
import { withLogBar } from './log-bar.js';
import { printResult } from './print-result.js';

const URL_ARGUMENT = 'sqlite:<file>, esdb://<host>:<port>; default: the store of the settings';

const storeOf = (url: string | undefined) =>
  url === undefined ? readSettings(process.env).eventStore : readEventStoreUrl('URL', url);

/** `onFault` is called if the log has a fault. */
export function addStoreCheck(command: Command, onFault: () => void): void {
  command
    .description('Check a whole event store: order, revisions, hash chains, identity, and unreadable events')
    .argument('[url]', URL_ARGUMENT)
    .addOption(new Option('--json', 'print the result as one line of JSON'))
    .action(async (url: string | undefined, { json }: { readonly json?: boolean }) => {
      const { checkStore } = await import('#runtime/check-store.js');
      const { facts, faults } = await withLogBar((onProgress) => checkStore(storeOf(url), onProgress));
      printResult(
        {
          ok: faults.length === 0,
          log: facts.logId,
          events: facts.events,
          last_at: facts.lastAt,
          sha256: facts.sha256,
          ledgers: facts.heads.length,
          faults: faults.map((fault) => ({ ...fault })),
        },
        json === true,
      );
      if (faults.length > 0) onFault();
    });
}

export function addStoreShow(command: Command): void {
  command
    .description('Show the id of the log in an event store, and its last event')
    .argument('[url]', URL_ARGUMENT)
    .addOption(new Option('--json', 'print the result as one line of JSON'))
    .action(async (url: string | undefined, { json }: { readonly json?: boolean }) => {
      const { showStore } = await import('#runtime/show-store.js');
      const { store, logId, lastAt, head } = await showStore(storeOf(url));
      printResult({ store, log: logId, last_at: lastAt, head }, json === true);
    });
}
