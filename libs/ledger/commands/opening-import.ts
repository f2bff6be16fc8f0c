import { contextOfStep, type CommandContext } from '#kernel/commands/decider.js';
import { allocatedId } from '#kernel/commands/ids.js';
import { note, type Faults } from '#kernel/values/faults.js';
import { sideBySide } from '#kernel/values/side-by-side.js';
import { personas } from '#lists/domain/personas/personas.js';
import type { OnProgress } from '#kernel/ports/work-progress.js';
import type { OperatorHost } from '#ops/support/operator-command.js';
import { decideAfterReading } from '#ledger/history/read-adjustments.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditAccount, CurrentOpening } from '#ledger/domain/account-state.js';
import {
  importOpening,
  ledgerHasMovements,
  openingReversed,
  type OpeningImport,
} from '#ledger/domain/import-opening.js';
import { isPlain } from '#ledger/domain/lots.js';
import { divideSubjects, paidSubjects, paidSubjectsId, stageSubjects } from '#ledger/domain/paid-subjects.js';
import type { PaidSubject } from '#ledger/domain/paid-subjects.events.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { openingFileInvalid, type OpeningFile } from './opening-file.js';
import { plainOf, type ImportedOpening } from './opening-report.js';

/** What an import needs from its host. */
export type ImportHost = Pick<
  OperatorHost,
  'commands' | 'ids' | 'eventStore' | 'readModels' | 'clock' | 'ledgers' | 'hasCapScope' | 'requireWorkspace'
>;

const STREAMS_AT_ONCE = 16;

/** The import of a file into a workspace: its lines, divided into streams and checked against the workspace. */
export type ImportPlan = {
  readonly workspaceId: number;
  readonly file: OpeningFile;
  readonly reason: string;
  readonly streams: readonly (readonly PaidSubject[])[];
  /** The opening of this file in the ledger; null if the ledger does not have it. */
  readonly imported: ImportedOpening | null;
};

/** Checks a file against a workspace with the same refusals as a commit. Writes nothing. */
export async function planImport(
  host: ImportHost,
  workspaceId: number,
  file: OpeningFile,
  reason: string,
): Promise<ImportPlan> {
  await host.requireWorkspace(workspaceId);
  const streams = divideSubjects(file.paid);
  if (streams === null)
    throw openingFileInvalid({ detail: 'More than 500 lines of kind paid have the same subject.' });
  const known = await host.commands.load(creditAccount, String(workspaceId), openingOfFile(file.hash));
  const imported = known === null ? null : await importedFrom(host, workspaceId, known);
  const plan = { workspaceId, file, reason, streams, imported };
  if (imported !== null) return plan;
  await refuseUnknown(host, workspaceId, file);
  const ids = Array.from({ length: file.lots.length + 1 }, (_, index) => index + 1);
  await decideAfterReading(host, workspaceId, refuseAdjustment, (readUpTo) =>
    host.commands.load(creditAccount, String(workspaceId), (account) => {
      const now = host.clock.now().toISOString();
      const { updatedAt } = account.books;
      importOpening(openingOf(plan, ids, readUpTo))(
        account,
        updatedAt !== null && updatedAt > now ? updatedAt : now,
      );
      return null;
    }),
  );
  return plan;
}

/**
 * Imports a planned file: first the subjects, which have no effect before the opening, then the opening as one entry.
 * An interrupted import is resumed with the same file; of two concurrent files one is imported.
 */
export async function commitImport(
  host: ImportHost,
  plan: ImportPlan,
  context: CommandContext,
  onProgress: OnProgress,
): Promise<ImportedOpening> {
  const { workspaceId, file, streams, imported } = plan;
  if (imported !== null) return imported;
  let done = 0;
  await sideBySide([...streams.entries()], STREAMS_AT_ONCE, async ([place, subjects]) => {
    done += 1;
    onProgress({ done, total: streams.length, note: 'writing paid subjects' });
    if (subjects.length === 0) return;
    await host.commands.handle(
      paidSubjects,
      paidSubjectsId(workspaceId, file.hash, place),
      stageSubjects(subjects),
      { context: contextOfStep(context, place), waitForReadModels: false },
    );
  });
  const ids = await host.ids.nextMany('movement', file.lots.length + 1);
  const { answer: opening } = await decideAfterReading(host, workspaceId, refuseAdjustment, (readUpTo) =>
    host.commands.handle(creditAccount, String(workspaceId), importOpening(openingOf(plan, ids, readUpTo)), {
      context,
      answer: openingOfFile(file.hash),
    }),
  );
  // Another request has imported the file and reversed it since.
  if (opening === null) throw openingReversed();
  return importedFrom(host, workspaceId, opening);
}

function openingOf(
  { file, reason, streams }: ImportPlan,
  ids: readonly number[],
  readUpTo: bigint,
): OpeningImport {
  const { hash, system, closedAt, openHolds, history, lots } = file;
  return {
    movementId: allocatedId(ids, 0),
    reason,
    source: { hash, system, closedAt },
    plain: plainOf(lots),
    lots: lots
      .filter((lot) => !isPlain(lot))
      .map(({ credits, expiresAt, priority, promotional, grantedAt }, index) => ({
        id: allocatedId(ids, index + 1),
        credits,
        expiresAt,
        priority,
        promotional,
        grantedAt: grantedAt ?? closedAt,
      })),
    paid: { count: file.paid.length, streams: streams.length },
    left: { openHolds: openHolds.count, held: openHolds.credits, history: history.count },
    readUpTo,
  };
}

/** No adjustment comes before an opening. All other movements are visible in the sums. */
const refuseAdjustment = (): never => {
  throw ledgerHasMovements();
};

/** The opening of this file in a ledger; null if another opening is current, or none. */
const openingOfFile =
  (hash: string) =>
  ({ openings: { current } }: Pick<CreditAccount, 'openings'>): CurrentOpening | null =>
    current?.hash === hash ? { ...current } : null;

/** The state of an opening in the ledger, and the number of its paid subjects that are stored. */
async function importedFrom(
  host: ImportHost,
  workspaceId: number,
  opening: CurrentOpening,
): Promise<ImportedOpening> {
  const places = Array.from({ length: opening.paid.streams }, (_, place) => place);
  const counts = await sideBySide(places, STREAMS_AT_ONCE, (place) =>
    host.commands.load(
      paidSubjects,
      paidSubjectsId(workspaceId, opening.hash, place),
      ({ staged }) => staged?.subjects.length ?? 0,
    ),
  );
  const entry = await host.ledgers.entryAt(workspaceId, opening.revision);
  if (entry === null) throw new Error('the entry of the opening is not there');
  return {
    movementId: opening.movementId,
    revision: Number(opening.revision),
    recordedAt: recordedAtOf(entry),
    lots: opening.lots,
    figures: {
      credits: opening.credits,
      plain: opening.plain,
      lots: opening.lots.length,
      paid: counts.reduce((sum, count) => sum + count, 0),
    },
  };
}

/** Refuses lines that name objects unknown to the workspace, or a time that does not fit. */
async function refuseUnknown(host: ImportHost, workspaceId: number, file: OpeningFile): Promise<void> {
  const faults: Faults = new Map();
  const now = host.clock.now().toISOString();
  if (file.closedAt > now) note(faults, 'line 1 closed_at', 'must not lie in the future');
  for (const { line, expiresAt, grantedAt } of file.lots) {
    if (expiresAt !== null && expiresAt <= now)
      note(
        faults,
        `line ${line} expires_at`,
        'has passed: leave the lot out, and its credits out of the closing',
      );
    if (grantedAt !== null && grantedAt > now)
      note(faults, `line ${line} granted_at`, 'must not lie in the future');
  }
  const has = (scope: 'agent' | 'setup', id: number): Promise<boolean> =>
    host.hasCapScope(host, workspaceId, scope, id);
  for (const [id, line] of file.agents)
    if (!(await has('agent', id))) note(faults, `line ${line} agent_id`, 'is no agent of this workspace');
  for (const [id, line] of file.setups)
    if (!(await has('setup', id)))
      note(faults, `line ${line} signal_setup_id`, 'is no signal setup of this workspace');
  const known = await host.commands.load(personas, String(workspaceId), ({ byId }) => [...byId.keys()]);
  for (const [id, line] of file.personas)
    if (!known.includes(id)) note(faults, `line ${line} persona_id`, 'is no persona of this workspace');
  if (faults.size > 0) throw openingFileInvalid({ errors: new Map([...faults].slice(0, 100)) });
}
