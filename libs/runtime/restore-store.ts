import { counted } from '#kernel/values/counted.js';
import { existsSync } from 'node:fs';
import { oneAppendAtATime, wavesAtOnce } from '#event-store/copy/copy-ends.js';
import { copyEvents } from '#event-store/copy/copy-events.js';
import {
  copyDiffers,
  restoreIntoWrittenServer,
  restoreLoses,
  restoreOfOtherLog,
} from '#event-store/copy/copy-refusals.js';
import type { LogFacts } from '#event-store/copy/log-proof.js';
import { writeEvents } from '#event-store/copy/write-events.js';
import { openSqliteEventStore, type SqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { logIdentity, firstEvent } from '#kernel/commands/log-identity.js';
import { skipIds } from '#kernel/commands/ids.js';
import { systemClock } from '#kernel/ports/clock.js';
import { START, StoreDamaged, type EventStore } from '#kernel/ports/event-store.port.js';
import { factsOf, progressOf, readFacts, type OnLogProgress } from './backup-store.js';
import { sourceOfFile } from './copy-store.js';
import { eachEvent, restoreLoss, type RestoreLoss } from './restore-loss.js';
import { openEventStore, requireDatabase } from './open-event-store.js';
import { InvalidSetting, type EventStoreUrl } from './settings.js';
import { withUnfinishedFile, type UnfinishedFile } from './unfinished-file.js';
import { whileOpen } from './while-open.js';

export type RestoreOptions = {
  /** The file of a backup. */
  readonly from: string;
  readonly to: EventStoreUrl;
  /** Confirms that data missing in the backup may be lost. */
  readonly isConfirmed: boolean;
  /** So many ids of every kind are skipped if the given ones are unknown. */
  readonly skipIds: number;
};

export type RestoreResult = {
  readonly facts: LogFacts;
  /** null if there was no log, or if it cannot be read. */
  readonly loss: RestoreLoss | null;
  /** Why the current log cannot be read, so that its loss is unknown; null if it can. */
  readonly damage: string | null;
  /** Where the previous file was moved; null if there was none. */
  readonly setAside: string | null;
};

/**
 * Restores a backup as the event store of a service. A file replaces the existing one, which is set aside; a server
 * must be empty or contain a beginning of the backup.
 * Throws the refusals of `copy-refusals.ts` before anything is changed. The caller must check that no other process
 * has the file open before this process opens it (`refuseToReplaceInUse`).
 */
export async function restoreStore(
  options: RestoreOptions,
  onProgress: OnLogProgress = () => undefined,
): Promise<RestoreResult> {
  const { from, to } = options;
  if (!existsSync(from)) throw new InvalidSetting('--from', 'a file that is there', from);
  await requireDatabase(from);
  return whileOpen(
    () => openSqliteEventStore({ path: from }),
    (backup) =>
      to.kind === 'sqlite'
        ? withUnfinishedFile(to.path, (unfinished) =>
            restoreFile(backup, to.path, unfinished, options, onProgress),
          )
        : restoreServer(backup, to, options, onProgress),
  );
}

async function restoreFile(
  backup: SqliteEventStore,
  path: string,
  unfinished: UnfinishedFile,
  { isConfirmed, skipIds: skipped }: RestoreOptions,
  onProgress: OnLogProgress,
): Promise<RestoreResult> {
  const isThere = existsSync(path);
  const { loss, damage } = isThere
    ? await lossOrDamage(backup, path, isConfirmed, onProgress)
    : { loss: null, damage: null };
  if (loss !== null && loss.lostEvents > 0 && !isConfirmed) throw refusedFor(loss);
  await whileOpen(
    () => openSqliteEventStore({ path: unfinished.path }),
    async (destination) => {
      const total = Number(await backup.head());
      await writeEvents(
        eachEvent(backup),
        wavesAtOnce(destination),
        progressOf('writing', total, onProgress),
      );
    },
  );
  const facts = await readFacts(unfinished.path, progressOf('reading back', null, onProgress));
  if (facts.sha256 !== (await factsOf(backup, () => undefined)).sha256) throw copyDiffers();
  if (skipped > 0)
    await whileOpen(
      () => openEventStore({ kind: 'sqlite', path: unfinished.path }),
      (store) => skipIds(store, systemClock, skipped),
    );
  // Also a file without events: its name is taken.
  const setAside = isThere ? asideOf(path) : null;
  if (setAside === null) unfinished.finish();
  else unfinished.replace(setAside);
  return { facts, loss, damage, setAside };
}

async function restoreServer(
  backup: SqliteEventStore,
  to: EventStoreUrl,
  { skipIds: skipped }: RestoreOptions,
  onProgress: OnLogProgress,
): Promise<RestoreResult> {
  const loss = await lossAt(backup, to, onProgress);
  if (loss !== null && loss.lostEvents > 0) throw restoreIntoWrittenServer({ members: membersOf(loss) });
  return whileOpen(
    () => openEventStore(to),
    async (server) => {
      await copyEvents(sourceOfFile(backup), oneAppendAtATime(server), ({ phase, ...progress }) =>
        onProgress({ ...progress, phase: phase === 'copying' ? 'writing' : 'reading back' }),
      );
      const facts = await factsOf(server, progressOf('reading back', null, onProgress));
      if (skipped > 0) await skipIds(server, systemClock, skipped);
      return { facts, loss, damage: null, setAside: null };
    },
  );
}

/** As `lossAt`, of a file that may be damaged: it is replaced too, if the loss of any of its data is confirmed. */
async function lossOrDamage(
  backup: EventStore,
  path: string,
  isConfirmed: boolean,
  onProgress: OnLogProgress,
): Promise<Pick<RestoreResult, 'loss' | 'damage'>> {
  try {
    return { loss: await lossAt(backup, { kind: 'sqlite', path }, onProgress), damage: null };
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
    // A damaged backup throws here.
    await factsOf(backup, () => undefined);
    if (isConfirmed) return { loss: null, damage: error.message };
    throw new StoreDamaged(
      `${error.message}. So it is unknown which of its events the backup does not have. Nothing was changed; ` +
        'use --yes if all of them may be lost: the file gets another name, and the backup its place.',
      { cause: error },
    );
  }
}

/** The data of the current log that would be lost; null without a current log. Throws if it is another log. */
function lossAt(
  backup: EventStore,
  to: EventStoreUrl,
  onProgress: OnLogProgress,
): Promise<RestoreLoss | null> {
  return whileOpen(
    () => openEventStore(to),
    async (present) => {
      if ((await present.head()) === START) return null;
      const [ours, theirs] = await Promise.all([identityOf(backup), identityOf(present)]);
      if (ours !== theirs)
        throw restoreOfOtherLog({ members: { backup: ours ?? 'empty', present: theirs ?? 'empty' } });
      return restoreLoss(backup, present, progressOf('comparing', null, onProgress));
    },
  );
}

async function identityOf(store: EventStore): Promise<string | null> {
  return (await logIdentity(store)) ?? (await firstEvent(store))?.id ?? null;
}

const refusedFor = (loss: RestoreLoss) => restoreLoses({ members: membersOf(loss) });

function membersOf({ lostEvents, firstLostAt, lastLostAt, ledgers }: RestoreLoss) {
  return {
    lost_events: lostEvents,
    lost_from: firstLostAt,
    lost_until: lastLostAt,
    ...Object.fromEntries(
      ledgers.map(({ workspaceId, lastRevision, lostEntries, capturedCredits }) => [
        `ledger of workspace ${workspaceId}`,
        `${counted(lostEntries, 'entry', 'entries')} after revision ${lastRevision ?? 'none'}, with ${counted(capturedCredits, 'credit')} captured`,
      ]),
    ),
  };
}

/** An unused name next to the file. */
function asideOf(path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.before-restore-${number}`;
    if (!existsSync(name)) return name;
  }
}
