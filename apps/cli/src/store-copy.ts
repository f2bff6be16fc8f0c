import { Option, type Command } from 'commander';
import { InvalidSetting, readEventStoreUrl, readViewUrl } from '#runtime/settings.js';
import { withLogBar } from './log-bar.js';
import { printResult } from './print-result.js';

const SUMMARY =
  'Copy a whole store into another one and compare both: events, the observed network, or signing secrets. The stores of the settings are not used';
const ADDRESSES =
  'sqlite:<file>, esdb://<host>:<port>, esdb+discover://<host>:<port> or mongodb://<host>/<database>';

type Options = {
  readonly from: string;
  readonly to: string;
  readonly secrets?: boolean;
  readonly json?: boolean;
};

/**
 * Copies stores to other addresses. It is no operator command: it works on two addresses and never through a running
 * service, whose stores would change during the copy.
 */
export function addStoreCopy(command: Command): void {
  command
    .description(SUMMARY)
    .addOption(new Option('--from <url>', `the store to copy: ${ADDRESSES}`).makeOptionMandatory())
    .addOption(
      new Option(
        '--to <url>',
        'the destination: an empty store, or the unfinished copy of an earlier run',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('--secrets', 'copy the signing secrets of webhooks; only needed if --from is a MongoDB'),
    )
    .addOption(new Option('--json', 'print the result as one line of JSON'))
    .addHelpText(
      'after',
      [
        '',
        'The kind of a file is read from the file (events.db, network.db, secrets.db). A MongoDB holds the',
        'observed network.',
        'Stop every service on both stores first. An interrupted copy can be started again: it compares the',
        'existing records with the source one by one and continues after them.',
        'sha256 of events is computed over every event in order, as read back from both sides: one line per',
        'event, the JSON array [stream, revision as text, id, type, data, metadata]; of a network over every',
        'record.',
      ].join('\n'),
    )
    .action(async (options: Options) => {
      const startedAt = performance.now();
      const copied = await copyOf(options);
      const seconds = Math.round(performance.now() - startedAt) / 1_000;
      printResult({ ...copied, seconds }, options.json === true);
    });
}

async function copyOf(options: Options) {
  switch (await whatIsCopied(options)) {
    case 'events':
      return copyOfEvents(options);
    case 'network':
      return copyOfNetwork(options);
    case 'secrets':
      return copyOfSecrets(options);
  }
}

async function whatIsCopied({ from, secrets = false }: Options) {
  if (from.startsWith('mongodb')) return secrets ? 'secrets' : 'network';
  const source = readEventStoreUrl('--from', from);
  const { heldIn } = await import('#runtime/copy-views.js');
  const held = source.kind === 'sqlite' ? await heldIn('--from', source.path) : 'events';
  if (secrets && held !== 'secrets') throw new InvalidSetting('--from', 'a store of secrets with --secrets');
  return held;
}

async function copyOfEvents({ from, to }: Options) {
  const ends = [readEventStoreUrl('--from', from), readEventStoreUrl('--to', to)] as const;
  const { copyStore, refuseWhenInUse } = await import('#runtime/copy-store.js');
  for (const end of ends) refuseWhenInUse(end);
  const { events, alreadyThere, copied, leftOut, sha256 } = await withLogBar((onProgress) =>
    copyStore(...ends, onProgress),
  );
  return {
    events,
    copied,
    already_there: alreadyThere,
    left_out_system: leftOut.system,
    left_out_foreign: leftOut.foreign,
    sha256,
  };
}

async function copyOfNetwork({ from, to }: Options) {
  const ends = [readViewUrl('--from', from), readViewUrl('--to', to)] as const;
  const { refuseWhenInUse } = await import('#runtime/copy-store.js');
  for (const end of ends) refuseWhenInUse(end);
  const { copyNetworkStore } = await import('#runtime/copy-views.js');
  const { records, ofPart, alreadyThere, sha256 } = await withLogBar((onProgress) =>
    copyNetworkStore(...ends, (notice) => console.error(notice), onProgress),
  );
  return {
    records,
    observations: ofPart.observation,
    moves: ofPart.move,
    polls: ofPart.poll,
    copied: records - alreadyThere,
    already_there: alreadyThere,
    sha256,
  };
}

async function copyOfSecrets({ from, to }: Options) {
  const ends = [readViewUrl('--from', from), readViewUrl('--to', to)] as const;
  const { refuseWhenInUse } = await import('#runtime/copy-store.js');
  for (const end of ends) refuseWhenInUse(end);
  const { copySecretStore } = await import('#runtime/copy-views.js');
  const { secrets, alreadyThere } = await copySecretStore(...ends);
  return { secrets, copied: secrets - alreadyThere, already_there: alreadyThere };
}
