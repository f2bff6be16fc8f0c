import type { ContentRequestEvents } from '#accounts/domain/content-requests/content-request.events.js';
import type { CompanyEvents } from '#identities/domain/companies/company.events.js';
import { capsMayResetAt, whenMayPayMore, type PayingEntries } from '#ledger/domain/paying-facts.js';
import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { WorkspaceEvents } from '#access/domain/workspaces/workspace.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { HOUR_MS } from '#kernel/values/durations.js';

/** The progress of the pipelines of a workspace's top accounts, and when work is due. */
export type AccountPipelinesDocument = {
  readonly workspaceId: number;
  /** Accounts on the list. */
  readonly accounts: number;
  /** An account was found since requests were last planned. */
  readonly isNew: boolean;
  /** Accounts were submitted. Accounts found in another way before that get no requests. */
  readonly begun: boolean;
  /** The number of planned requests that have not ended, and of those that are not created yet. */
  readonly open: number;
  readonly uncreated: number;
  /** The event since which missing requests have to be planned; null: none. */
  readonly lookAfter: string | null;
  readonly blocked: boolean;
  /** What the next request waits for; without `creditsRequired`, that a pipeline is switched on. */
  readonly paused: {
    readonly requestId: number | null;
    readonly creditsRequired: string | null;
    readonly pausedAt: string;
    /** Absent: the balance does not cover it, or nothing is to be paid. */
    readonly pausedBy?: 'cap';
  } | null;
  /**
   * The number of events that end a pause of either kind: a pause that was decided before the last of them has no
   * effect.
   */
  readonly wakes: number;
  /** When work is due; null: not before another event. */
  readonly dueAt: string | null;
};

/**
 * How long a workspace without credits waits for the next try; at a cap it waits until the earliest end of the cap's
 * period, if that is sooner.
 */
const RETRY_MS = HOUR_MS;

export const accountPipelinesKey = (workspaceId: number): string => String(workspaceId);

type PipelinePayloads = Pick<
  TopAccountEvents,
  | 'TopAccountFound'
  | 'TopAccountRemoved'
  | 'AccountsResolved'
  | 'AccountRequestsPlanned'
  | 'AccountRequestsEnded'
  | 'AccountRequestsPaused'
> &
  Pick<ContentRequestEvents, 'ContentRequestCreated'> &
  Pick<CompanyEvents, 'PipelineConfigSet'> &
  Pick<WorkspaceEvents, 'WorkspaceBlocked' | 'WorkspaceUnblocked' | 'WorkspaceFeatureSet'> &
  PayingEntries;

type Changes = Partial<Omit<AccountPipelinesDocument, 'workspaceId' | 'dueAt'>>;

export const accountPipelines = projection<AccountPipelinesDocument, PipelinePayloads>()({
  name: 'account-pipelines',
  version: 4,
  critical: true,
  indexes: { due: ['dueAt', 'workspaceId'], ofWorkspace: ['workspaceId', 'dueAt'] },
  key: (event) => accountPipelinesKey(workspaceIdOf(event)),
  on: {
    TopAccountFound: (known, event) =>
      after(known, event, ({ accounts }) => ({ accounts: accounts + 1, isNew: true })),
    AccountsResolved: (known, event) =>
      after(known, event, ({ isNew, lookAfter }) => ({
        isNew: false,
        begun: true,
        lookAfter: isNew ? event.id : lookAfter,
      })),
    // Its open requests end, also while they wait.
    TopAccountRemoved: (known, event) =>
      after(known, event, ({ accounts, paused, wakes }) => ({
        accounts: accounts - 1,
        paused: unrested(paused),
        wakes: wakes + 1,
      })),
    AccountRequestsPlanned: (known, event) =>
      after(known, event, ({ open, uncreated, lookAfter, paused, wakes }) => {
        const { requests, lookedAfter } = event.data;
        return {
          wakes: requests.length > 0 ? wakes + 1 : wakes,
          open: open + requests.length,
          uncreated: uncreated + requests.length,
          lookAfter: lookedAfter === lookAfter ? null : lookAfter,
          paused: requests.length > 0 ? unrested(paused) : paused,
        };
      }),
    ContentRequestCreated: (known, event) =>
      event.data.source === 'top_account_list'
        ? after(known, event, ({ uncreated }) => ({ uncreated: uncreated - 1 }))
        : known,
    AccountRequestsEnded: (known, event) =>
      after(known, event, ({ open, paused }) => ({
        open: open - event.data.requests.length,
        paused: event.data.requests.some(({ requestId }) => requestId === paused?.requestId) ? null : paused,
      })),
    AccountRequestsPaused: (known, event) =>
      after(known, event, ({ wakes }) => {
        const { wakes: seen = wakes, ...paused } = event.data;
        return { paused: wakes > seen ? null : paused };
      }),
    PipelineConfigSet: (known, event) => lookedAt(known, event),
    WorkspaceFeatureSet: (known, event) => lookedAt(known, event),
    WorkspaceBlocked: (known, event) => after(known, event, () => ({ blocked: true })),
    WorkspaceUnblocked: (known, event) =>
      after(known, event, ({ wakes }) => ({ blocked: false, paused: null, wakes: wakes + 1 })),
    ...whenMayPayMore(paidAgain),
  },
});

const NOTHING: Omit<AccountPipelinesDocument, 'workspaceId'> = {
  accounts: 0,
  isNew: false,
  begun: false,
  open: 0,
  uncreated: 0,
  lookAfter: null,
  blocked: false,
  paused: null,
  wakes: 0,
  dueAt: null,
};

type Paused = AccountPipelinesDocument['paused'];

/** Any new event ends a pause in which everything waits; a pause for credits does not end. */
const unrested = (paused: Paused): Paused => (paused?.creditsRequired === null ? null : paused);

/**
 * A pipeline is switched on or off for a company or the workspace: accounts may lack a request, or no longer have to
 * wait.
 */
function lookedAt(known: AccountPipelinesDocument | null, event: Recorded<unknown>) {
  if (known?.begun !== true) return known;
  return after(known, event, ({ paused, wakes }) => ({
    lookAfter: event.id,
    paused: unrested(paused),
    wakes: wakes + 1,
  }));
}

/** There may be enough credits now. */
function paidAgain(known: AccountPipelinesDocument | null, event: Recorded<unknown>) {
  if (known === null) return known;
  return after(known, event, ({ paused, wakes }) => ({
    paused: paused !== null && paused.creditsRequired === null ? paused : null,
    wakes: wakes + 1,
  }));
}

function after(
  known: AccountPipelinesDocument | null,
  event: Recorded<unknown>,
  change: (known: AccountPipelinesDocument) => Changes,
): AccountPipelinesDocument {
  const before = known ?? { ...NOTHING, workspaceId: workspaceIdOf(event) };
  const changed = { ...before, ...change(before) };
  return { ...changed, dueAt: dueAt(changed, before.dueAt, recordedAtOf(event)) };
}

function dueAt(
  { blocked, open, uncreated, lookAfter, paused }: AccountPipelinesDocument,
  before: string | null,
  now: string,
): string | null {
  if (blocked) return null;
  const isToDo = lookAfter !== null || uncreated > 0 || (open > 0 && paused === null);
  if (isToDo) return before !== null && before <= now ? before : now;
  if (open === 0 || paused === null || paused.creditsRequired === null) return null;
  const hourLater = new Date(Date.parse(paused.pausedAt) + RETRY_MS).toISOString();
  const reset = capsMayResetAt(paused.pausedAt);
  return paused.pausedBy === 'cap' && reset < hourLater ? reset : hourLater;
}
