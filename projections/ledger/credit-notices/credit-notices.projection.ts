import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** Entries about the credits of a workspace that the workspace is notified of. */
type NoticePayloads = Pick<CreditPayloads, 'CapReached' | 'CreditsLow' | 'CreditsRunOut' | 'CreditsExpiring'>;

/** The payload of such an entry, amounts as micro-credits in stored text. */
export type CreditNoticeDocument = { readonly workspaceId: number } & {
  readonly [Type in keyof NoticePayloads]: { readonly type: Type; readonly data: NoticePayloads[Type] };
}[keyof NoticePayloads];

/** The key of a notice: workspace and id of its log event. */
export const creditNoticeKey = (workspaceId: number, eventId: string): string => `${workspaceId}_${eventId}`;

/** Notices to workspaces about their credits, one document per entry. */
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
