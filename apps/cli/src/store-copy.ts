import { Option, type Command } from 'commander';
import { readEventStoreUrl } from '#runtime/settings.js';
import { printResult } from './print-result.js';
import { progressBar } from './progress-bar.js';

const SUMMARY =
  'Copy an event store into another one, whole and in order, and prove it: what the settings name is not touched';
const ADDRESSES = 'sqlite:<file>, esdb://<host>:<port> or esdb+discover://<host>:<port>';

/**
 * Moving house. It is no operator command: it works on two addresses and never through a running service, whose
 * stores it would have to take away under it.
 */
export function addStoreCopy(command: Command): void {
  command
    .description(SUMMARY)
    .addOption(new Option('--from <url>', `the store to copy: ${ADDRESSES}`).makeOptionMandatory())
    .addOption(
      new Option(
        '--to <url>',
        'the store to write: an empty one, or one that an earlier run left unfinished',
      ).makeOptionMandatory(),
    )
    .addOption(new Option('--json', 'print the answer as one line of JSON'))
    .addHelpText(
      'after',
      [
        '',
        'Stop every service on both stores first. Killed at any moment, start it again: it compares what is',
        'there with the source, event by event, and goes on behind it.',
        'sha256 is over every event in order, as read back from both sides: a line each of the JSON array',
        '[stream, revision as text, id, type, data, metadata].',
      ].join('\n'),
    )
    .action(async ({ from, to, json }: { from: string; to: string; json?: boolean }) => {
      const ends = [readEventStoreUrl('--from', from), readEventStoreUrl('--to', to)] as const;
      const { copyStore, refuseWhenInUse } = await import('#runtime/copy-store.js');
      for (const end of ends) refuseWhenInUse(end);
      const bar = progressBar();
      const startedAt = performance.now();
      let shown = '';
      try {
        const copy = await copyStore(...ends, ({ phase, ...progress }) => {
          // Each phase counts from its own beginning, and so does its estimate.
          if (phase !== shown) bar.stop();
          shown = phase;
          bar.update({ ...progress, note: phase });
        });
        bar.stop();
        const { events, alreadyThere, copied, leftOut, sha256 } = copy;
        const result = {
          events,
          copied,
          already_there: alreadyThere,
          left_out_system: leftOut.system,
          left_out_foreign: leftOut.foreign,
          sha256,
          seconds: Math.round(performance.now() - startedAt) / 1_000,
        };
        printResult(result, json === true);
      } finally {
        bar.stop();
      }
    });
}
