import { InvalidArgumentError, Option, type Command } from 'commander';
import { resolve } from 'node:path';
import { readEventStoreUrl } from '#runtime/settings.js';
import { withLogBar } from './log-bar.js';
import { printResult } from './print-result.js';

/** Restores a backup to the configured event store. */
export function addStoreRestore(command: Command): void {
  command
    .description('Replace an event store by a backup, and show which events are lost')
    .addOption(new Option('--from <file>', 'the backup').makeOptionMandatory())
    .addOption(
      new Option(
        '--to <url>',
        'the store: sqlite:<file>, or an empty server by esdb://<host>:<port>',
      ).makeOptionMandatory(),
    )
    .addOption(new Option('--yes', 'confirm that events that are not in the backup are lost'))
    .addOption(
      new Option('--skip-ids <count>', 'number of ids of every kind to skip, if the read store is lost too')
        .argParser(readCount)
        .default(0),
    )
    .addOption(new Option('--json', 'print the result as one line of JSON'))
    .addHelpText(
      'after',
      [
        '',
        'Stop every service on the store first. An existing file is renamed and not deleted. The service',
        'rebuilds its read models at the next start.',
      ].join('\n'),
    )
    .action(async ({ from, to, yes, skipIds, json }: RestoreOptions) => {
      const place = readEventStoreUrl('--to', to);
      const { refuseToReplaceInUse } = await import('#runtime/copy-store.js');
      const { restoreStore } = await import('#runtime/restore-store.js');
      refuseToReplaceInUse(place);
      const startedAt = performance.now();
      const { facts, loss, damage, setAside } = await withLogBar((onProgress) =>
        restoreStore(
          {
            from: resolve(from),
            to: place,
            isConfirmed: yes === true,
            skipIds,
          },
          onProgress,
        ),
      );
      printResult(
        {
          log: facts.logId,
          events: facts.events,
          last_at: facts.lastAt,
          sha256: facts.sha256,
          lost_events: damage === null ? (loss?.lostEvents ?? 0) : null,
          lost_from: loss?.firstLostAt ?? null,
          lost_until: loss?.lastLostAt ?? null,
          shorter_ledgers: (loss?.ledgers ?? []).map((ledger) => ({
            workspace_id: ledger.workspaceId,
            last_revision: ledger.lastRevision,
            lost_entries: ledger.lostEntries,
            captured_credits: ledger.capturedCredits,
          })),
          damage,
          set_aside: setAside,
          seconds: Math.round(performance.now() - startedAt) / 1_000,
        },
        json === true,
      );
    });
}

type RestoreOptions = {
  readonly from: string;
  readonly to: string;
  readonly yes?: boolean;
  readonly skipIds: number;
  readonly json?: boolean;
};

const MOST_SKIPPED = 1_000_000_000;

function readCount(text: string): number {
  const count = Number(text);
  if (/^\d{1,10}$/.test(text) && count <= MOST_SKIPPED) return count;
  throw new InvalidArgumentError(`takes a whole number up to ${MOST_SKIPPED}`);
}
