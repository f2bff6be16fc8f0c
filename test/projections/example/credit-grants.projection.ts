import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The credits granted to a workspace for one reason. */
export type CreditGrantsDocument = {
  readonly workspaceId: number;
  readonly reason: string;
  readonly grants: number;
  /** Micro-credits as stored text. */
  readonly credits: string;
  readonly lastAt: string;
};

export const creditGrants = projection<CreditGrantsDocument, Pick<CreditPayloads, 'CreditsGranted'>>()({
  name: 'credit-grants',
  version: 1,
  indexes: { newestFirst: ['workspaceId', 'lastAt', 'reason'] },
  key: (event) => `${workspaceIdOf(event)}/${event.data.reason}`,
  on: {
    CreditsGranted: (before, event) => ({
      workspaceId: workspaceIdOf(event),
      reason: event.data.reason,
      grants: (before?.grants ?? 0) + 1,
      credits: toStored(fromStored(before?.credits ?? '0') + fromStored(event.data.credits)),
      lastAt: recordedAtOf(event),
    }),
  },
});
