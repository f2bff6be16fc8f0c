import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** Entries that a workspace is told of because of what they say of its credits. */
type NoticePayloads = Pick<CreditPayloads, 'CapReached' | 'CreditsLow' | 'CreditsRunOut' | 'CreditsExpiring'>;

/** What such an entry says, amounts as micro-credits in stored text. */
export type CreditNoticeDocument = { readonly workspaceId: number } & {
  readonly [Type in keyof NoticePayloads]: { readonly type: Type; readonly data: NoticePayloads[Type] };
}[keyof NoticePayloads];

/** The key of a notice: the log event that tells of it. */
export const creditNoticeKey = (workspaceId: number, eventId: string): string => `${workspaceId}_${eventId}`;

/** What a workspace is told of its credits, an entry a document. */
export const creditNotices = projection<CreditNoticeDocument, NoticePayloads>()({
  name: 'credit-notices',
  version: 1,
  indexes: {},
  key: (event) => creditNoticeKey(workspaceIdOf(event), event.id),
  on: {
    CapReached: (_none, event) => ({ ...of(event), type: 'CapReached', data: event.data }),
    CreditsLow: (_none, event) => ({ ...of(event), type: 'CreditsLow', data: event.data }),
    CreditsRunOut: (_none, event) => ({ ...of(event), type: 'CreditsRunOut', data: event.data }),
    CreditsExpiring: (_none, event) => ({ ...of(event), type: 'CreditsExpiring', data: event.data }),
  },
});

const of = (event: Recorded<unknown>) => ({ workspaceId: workspaceIdOf(event) });
