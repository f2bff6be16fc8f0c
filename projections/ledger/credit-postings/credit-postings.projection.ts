import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import { termsOf, type LotTerms } from '#ledger/domain/lot-facts.js';
import { openingParts, reversedParts } from '#ledger/domain/opening-facts.js';
import { forNotes } from '#ledger/domain/notes-facts.js';
import { fromStored, toStored, type Credits } from '#kernel/values/credits.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/**
 * A movement of credits that is no charge: a grant, withdrawal or adjustment, each part of an imported opening, and
 * its reversal. Only `ended` changes.
 */
export type CreditPostingDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly kind: 'grant' | 'withdrawal' | 'adjustment' | 'import' | 'reversal';
  readonly createdAt: string;
  /** The change of the available credits, as micro-credits in stored text; negative for a withdrawal. */
  readonly credits: string;
  readonly reason: string;
  readonly key: string | null;
  /** For adjustments: the movement that was wrong; for a reversal: the movement of the opening. */
  readonly corrects: number | null;
  /** For a grant or adjustment with terms. */
  readonly terms?: LotTerms;
  /** The lot that the caller named to take credits from. */
  readonly lot?: number;
  /** Its ledger entry. */
  readonly revision: number;
  /** The credits of a grant that expired or were reversed with its opening, and the entry that ended the last of them. */
  readonly ended?: {
    readonly credits: string;
    readonly revision: number;
    /** The entries that ended other parts before, the first `MOST_EARLIER_ENDS`; absent if there are none. */
    readonly earlier?: readonly number[];
  };
};

/** A lot ends in one entry, and in one more for each hold that is released after its end. */
const MOST_EARLIER_ENDS = 100;

export const creditPostingKey = (id: number): string => String(id);

/**
 * For an entry that makes no document. It is handled so that the checkpoint passes every entry of a ledger, because
 * only then a missing key proves that no such posting exists.
 */
const asItWas = (document: CreditPostingDocument | null): CreditPostingDocument | null => document;

/** A ledger also looks up forgotten posting keys here, so a parked workspace is not decided on incomplete rows. */
export const creditPostings = projection<CreditPostingDocument, CreditPayloads>()({
  name: 'credit-postings',
  version: 6,
  critical: true,
  indexes: { byKey: ['workspaceId', 'key'], byCorrected: ['workspaceId', 'corrects', 'id'] },
  key: (event) => {
    if (event.type === 'OpeningImported')
      return openingParts(event.data).map(({ movementId }) => creditPostingKey(movementId));
    if (event.type === 'OpeningReversed')
      return [event.data, ...reversedParts(event.data)].map(({ movementId }) => creditPostingKey(movementId));
    return event.type === 'CreditsGranted' ||
      event.type === 'LotGranted' ||
      event.type === 'CreditsWithdrawn' ||
      event.type === 'CreditsAdjusted' ||
      event.type === 'LotAdjusted' ||
      event.type === 'LotExpired'
      ? creditPostingKey(event.data.movementId)
      : null;
  },
  on: {
    CreditsGranted: (_none, event) => posted('grant', event.data.credits, event),
    LotGranted: (_none, event) => ({
      ...posted('grant', event.data.credits, event),
      terms: termsOf(event.data),
    }),
    CreditsWithdrawn: (_none, event) =>
      posted('withdrawal', toStored(-fromStored(event.data.credits)), event),
    CreditsAdjusted: (_none, event) => posted('adjustment', event.data.credits, event),
    LotAdjusted: (_none, event) => ({
      ...posted('adjustment', event.data.credits, event),
      terms: termsOf(event.data),
    }),
    OpeningImported: (_none, event, key) => {
      const part = openingParts(event.data).find(({ movementId }) => creditPostingKey(movementId) === key);
      if (part === undefined) throw new Error(`the opening has no movement ${key}`);
      const { movementId, credits, terms } = part;
      const data = { movementId, credits: toStored(credits), reason: event.data.reason };
      return { ...posted('import', data.credits, { ...event, data }), ...(terms === null ? {} : { terms }) };
    },
    OpeningReversed: (document, event, key) => {
      const part = reversedParts(event.data).find(({ movementId }) => creditPostingKey(movementId) === key);
      if (part !== undefined) return endedIn(document, part.credits, event);
      const data = { ...event.data, corrects: event.data.reverses };
      return posted('reversal', toStored(-fromStored(data.credits)), { ...event, data });
    },
    BillingModeSet: asItWas,
    LotExpired: (document, event) => endedIn(document, fromStored(event.data.credits), event),
    CreditsHeld: asItWas,
    CreditsCaptured: asItWas,
    CreditsReleased: asItWas,
    ...forNotes(asItWas),
  },
});

function posted(
  kind: CreditPostingDocument['kind'],
  credits: string,
  event: Recorded<CreditPayloads['CreditsAdjusted']>,
): CreditPostingDocument {
  const { movementId, reason, key = null, corrects = null, lot } = event.data;
  return {
    id: movementId,
    workspaceId: workspaceIdOf(event),
    kind,
    createdAt: recordedAtOf(event),
    credits,
    reason,
    key,
    corrects,
    ...(lot === undefined ? {} : { lot }),
    revision: Number(event.revision),
  };
}

function endedIn(
  document: CreditPostingDocument | null,
  credits: Credits,
  { data, revision }: Recorded<{ readonly movementId: number }>,
): CreditPostingDocument {
  if (document === null) throw new Error(`credits ended that no movement granted, at ${data.movementId}`);
  const { ended } = document;
  const total = toStored(fromStored(ended?.credits ?? '0') + credits);
  if (ended === undefined) return { ...document, ended: { credits: total, revision: Number(revision) } };
  const earlier = [...(ended.earlier ?? []), ended.revision].slice(0, MOST_EARLIER_ENDS);
  return { ...document, ended: { credits: total, revision: Number(revision), earlier } };
}
