import { toJsonNumber, type Credits } from '#kernel/values/credits.js';
import { Amount } from '#kernel/values/amounts.js';
import { Id, Nullable, OneOf, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { Hash } from '#ledger/answers/answer-fields.js';
import { lotTermsAnswer, termsView } from '#ledger/answers/lots.answer.js';
import { isPlain } from '#ledger/domain/lots.js';
import type { FileLot, OpeningFile } from './opening-file.js';

/** The maximum number of lots and holds that a report lists one by one. */
const MOST_LISTED = 1_000;

/** The mode of an import: check the file, check it against the workspace, or commit it to the ledger. */
export const ImportMode = OneOf('check', 'dry_run', 'commit');
export type ImportMode = Static<typeof ImportMode>;

const ParityRow = Type.Object({
  what: Type.String(),
  /** The figures of the old system, from the file. */
  closing: Amount,
  /** The figures of this ledger, real or expected. */
  opening: Amount,
  equal: Type.Boolean(),
});

/** The result of an import or a check, with the proof that the old closing equals the new opening. */
export const ImportReport = Type.Object({
  /** True if every line of `parity` is equal. */
  ok: Type.Boolean(),
  mode: ImportMode,
  outcome: OneOf('file is valid', 'would be imported', 'imported', 'was imported before'),
  workspace_id: Nullable(Id),
  system: Type.String(),
  closed_at: Timestamp,
  file_hash: Hash,
  /** The movement of the opening and its ledger entry; null before the import. */
  movement_id: Nullable(Id),
  revision: Nullable(Type.Integer({ minimum: 0 })),
  recorded_at: Nullable(Timestamp),
  parity: Type.Array(ParityRow),
  /**
   * The rest of each grant. A grant without terms is part of the credit without terms, under the opening's movement.
   */
  lots: Type.Array(
    Type.Object({
      id: Type.String(),
      movement_id: Nullable(Id),
      credits: Amount,
      granted_at: Nullable(Timestamp),
      ...lotTermsAnswer,
    }),
  ),
  /**
   * Things that the file lists and the ledger does not get: they have to be settled in the old system or by
   * adjustments.
   */
  not_imported: Type.Object({
    open_holds: Type.Integer({ minimum: 0 }),
    held: Amount,
    history: Type.Integer({ minimum: 0 }),
    history_from: Nullable(Timestamp),
    history_to: Nullable(Timestamp),
    holds: Type.Array(
      Type.Object({
        id: Type.String(),
        credits: Amount,
        held_at: Nullable(Timestamp),
        what: Nullable(Type.String()),
      }),
    ),
  }),
});
export type ImportReportView = Static<typeof ImportReport>;

/** The figures of an opening, from the file or from the ledger. */
export type OpeningFigures = {
  readonly credits: Credits;
  readonly plain: Credits;
  readonly lots: number;
  readonly paid: number;
};

/** What the ledger has of the opening; null before the import. */
export type ImportedOpening = {
  readonly movementId: number;
  readonly revision: number;
  readonly recordedAt: string;
  readonly lots: readonly number[];
  readonly figures: OpeningFigures;
};

/** The figures of a file. */
const figuresOf = ({ credits, lots, paid }: OpeningFile): OpeningFigures => ({
  credits,
  plain: plainOf(lots),
  lots: lots.filter((lot) => !isPlain(lot)).length,
  paid: paid.length,
});

/** The credits of lots without terms. */
export const plainOf = (lots: readonly FileLot[]): Credits =>
  lots.reduce((sum, lot) => (isPlain(lot) ? sum + lot.credits : sum), 0n);

/** The report of a file; `imported` is what the ledger has of it. */
export function importReport(
  file: OpeningFile,
  about: Pick<ImportReportView, 'mode' | 'outcome' | 'workspace_id'>,
  imported: ImportedOpening | null,
): ImportReportView {
  const parity = parityOf(figuresOf(file), imported?.figures ?? figuresOf(file));
  const { openHolds, history } = file;
  const ids = [...(imported?.lots ?? [])];
  const lots = file.lots.slice(0, MOST_LISTED).map((lot) => ({
    id: lot.id,
    movement_id: imported === null ? null : isPlain(lot) ? imported.movementId : (ids.shift() ?? null),
    credits: toJsonNumber(lot.credits),
    granted_at: lot.grantedAt,
    ...termsView(lot),
  }));
  return {
    ok: parity.every(({ equal }) => equal),
    ...about,
    system: file.system,
    closed_at: file.closedAt,
    file_hash: file.hash,
    movement_id: imported?.movementId ?? null,
    revision: imported?.revision ?? null,
    recorded_at: imported?.recordedAt ?? null,
    parity,
    lots,
    not_imported: {
      open_holds: openHolds.count,
      held: toJsonNumber(openHolds.credits),
      history: history.count,
      history_from: history.from,
      history_to: history.to,
      holds: openHolds.listed.map(({ id, credits, heldAt, what }) => ({
        id,
        credits: toJsonNumber(credits),
        held_at: heldAt,
        what,
      })),
    },
  };
}

function parityOf(closing: OpeningFigures, opening: OpeningFigures): ImportReportView['parity'] {
  const row = (what: string, one: number, other: number) => ({
    what,
    closing: one,
    opening: other,
    equal: one === other,
  });
  const amount = (what: string, one: Credits, other: Credits) =>
    row(what, toJsonNumber(one), toJsonNumber(other));
  return [
    amount('credits that can be spent', closing.credits, opening.credits),
    amount('credits without terms', closing.plain, opening.plain),
    amount('credits in lots with terms', closing.credits - closing.plain, opening.credits - opening.plain),
    row('lots with terms', closing.lots, opening.lots),
    row('paid elsewhere', closing.paid, opening.paid),
  ];
}
