import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { WorkspaceEvents } from '#access/domain/workspaces/workspace.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** What a workspace has submitted for its top account list, as far as it is not looked up. */
export type AccountSubmissionsDocument = {
  readonly workspaceId: number;
  /** In the order in which they came. */
  readonly open: readonly OpenSubmission[];
  /** While it is blocked what was submitted waits (OP-52). */
  readonly blocked: boolean;
  /** There is something to look up now. */
  readonly isDue: boolean;
  /** null before the first. */
  readonly lastSubmittedAt: string | null;
};

export type OpenSubmission = {
  readonly submissionId: string;
  /** Accounts of it, and how many of them were looked up, from the first on. */
  readonly accounts: number;
  readonly resolved: number;
  readonly submittedAt: string;
  /** Of the request that sent it, and its event. */
  readonly correlationId: string;
  readonly eventId: string;
};

export const accountSubmissionsKey = (workspaceId: number): string => String(workspaceId);

type SubmissionPayloads = Pick<TopAccountEvents, 'AccountsSubmitted' | 'AccountsResolved'> &
  Pick<WorkspaceEvents, 'WorkspaceBlocked' | 'WorkspaceUnblocked'>;

export const accountSubmissions = projection<AccountSubmissionsDocument, SubmissionPayloads>()({
  name: 'account-submissions',
  version: 1,
  critical: true,
  indexes: { due: ['isDue', 'workspaceId'] },
  key: (event) => accountSubmissionsKey(workspaceIdOf(event)),
  on: {
    AccountsSubmitted: (known, event) => {
      const before = known ?? nothing(event);
      const { submissionId, accounts, submittedAt } = event.data;
      const { correlationId = '' } = event.metadata;
      const submitted = {
        submissionId,
        accounts,
        resolved: 0,
        submittedAt,
        correlationId,
        eventId: event.id,
      };
      return due({ ...before, open: [...before.open, submitted], lastSubmittedAt: submittedAt });
    },
    AccountsResolved: (known, { data: { submissionId, from, accounts } }) =>
      known &&
      due({
        ...known,
        open: known.open
          .map((each) => (each.submissionId === submissionId ? { ...each, resolved: from + accounts } : each))
          .filter((each) => each.resolved < each.accounts),
      }),
    WorkspaceBlocked: (known, event) => due({ ...(known ?? nothing(event)), blocked: true }),
    WorkspaceUnblocked: (known, event) => due({ ...(known ?? nothing(event)), blocked: false }),
  },
});

const nothing = (event: Recorded<unknown>): AccountSubmissionsDocument => ({
  workspaceId: workspaceIdOf(event),
  open: [],
  blocked: false,
  isDue: false,
  lastSubmittedAt: null,
});

const due = (known: AccountSubmissionsDocument): AccountSubmissionsDocument => ({
  ...known,
  isDue: !known.blocked && known.open.length > 0,
});
