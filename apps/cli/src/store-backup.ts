import { Option, type Command } from 'commander';
import { resolve } from 'node:path';
import type { SealedHead } from '#event-store/copy/log-proof.js';
import type { NetworkBackup, SecretsBackup } from '#runtime/backup-network.js';
import { readEventStoreUrl, readSettings } from '#runtime/settings.js';
import type { OtherBackups } from '#runtime/unfinished-file.js';
import { withLogBar } from './log-bar.js';
import { WrongUsage } from './options.js';
import { printResult } from './print-result.js';
import { unwritableStore } from './unwritable.js';

/**
 * Backups are made while the service runs: the file contains the store as it was at the start. `onFault` is called if the
 * log has a fault, which the backup then has, too.
 */
export function addStoreBackup(command: Command, onFault: () => void): void {
  command
    .description(
      'Write every event of the event store into a new file, with the service up or down, and read it back',
    )
    .addOption(new Option('--to <file>', 'the file to write; it must not exist').makeOptionMandatory())
    .addOption(new Option('--network-to <file>', 'also back up the observed network into this file'))
    .addOption(
      new Option('--secrets-to <file>', 'also back up the signing secrets of webhooks into this file'),
    )
    .addOption(new Option('--from <url>', 'the event store to back up; default: the store of the settings'))
    .addOption(new Option('--ledgers', 'also print revision and hash of every ledger'))
    .addOption(new Option('--json', 'print the result as one line of JSON'))
    .addHelpText(
      'after',
      [
        '',
        'The file is an SQLite event store. The files get their names when all of them are complete; an',
        'interrupted backup starts from the beginning. sha256 is computed as by store copy. A log with',
        'faults is backed up as it is, and the command exits 1.',
      ].join('\n'),
    )
    .action(async ({ to, from, networkTo, secretsTo, ledgers, json }: BackupOptions) => {
      const source =
        from === undefined ? readSettings(process.env).eventStore : readEventStoreUrl('--from', from);
      const { backupStore } = await import('#runtime/backup-store.js');
      const files = [to, networkTo, secretsTo].flatMap((name) => (name === undefined ? [] : [resolve(name)]));
      const startedAt = performance.now();
      let network: NetworkBackup | null = null;
      let secrets: SecretsBackup | null = null;
      const writeSecrets = async (): Promise<void> => {
        if (secretsTo !== undefined) secrets = await secretsInto(secretsTo);
      };
      const facts = await writing(files, async () => {
        await requireNewFiles(files);
        return withLogBar((onProgress, end) =>
          backupStore(source, resolve(to), onProgress, async () => {
            // A copy of a network does not react to Ctrl-C while a bar handles it.
            end();
            if (networkTo === undefined) await writeSecrets();
            else network = await networkInto(networkTo, writeSecrets);
          }),
        );
      });
      printResult(
        {
          file: to,
          log: facts.logId,
          events: facts.events,
          last_at: facts.lastAt,
          sha256: facts.sha256,
          faults: facts.faults.map((fault) => ({ ...fault })),
          ...(ledgers === true ? { ledgers: facts.heads.map(ledgerOf) } : {}),
          ...(network === null ? {} : { network }),
          ...(secrets === null ? {} : { secrets }),
          seconds: Math.round(performance.now() - startedAt) / 1_000,
        },
        json === true,
      );
      if (facts.faults.length > 0) onFault();
    });
}

/** Does the work, with the errors of these files as those of files that the call names. */
async function writing<Result>(files: readonly string[], work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw unwritableStore(error, files);
  }
}

/** Refuses any of the names before the first file is written. */
async function requireNewFiles(files: readonly string[]): Promise<void> {
  const { requireFreeName } = await import('#runtime/unfinished-file.js');
  if (new Set(files).size < files.length) throw new WrongUsage('each backup needs a file of its own');
  files.forEach(requireFreeName);
}

type BackupOptions = {
  readonly to: string;
  readonly from?: string;
  readonly networkTo?: string;
  readonly secretsTo?: string;
  readonly ledgers?: boolean;
  readonly json?: boolean;
};

async function networkInto(file: string, others: OtherBackups): Promise<NetworkBackup> {
  const { backupNetwork } = await import('#runtime/backup-network.js');
  return backupNetwork(readSettings(process.env).networkStore, resolve(file), others);
}

async function secretsInto(file: string): Promise<SecretsBackup> {
  const { backupSecrets } = await import('#runtime/backup-network.js');
  return backupSecrets(readSettings(process.env), resolve(file));
}

function ledgerOf({ stream, revision, hash }: SealedHead) {
  return { workspace_id: Number(stream.split('-')[1]), revision: Number(revision), hash };
}
