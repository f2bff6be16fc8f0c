import type { TopAccountEvents } from '#accounts/domain/top-accounts/top-accounts.events.js';
import type { WorkspaceEvents } from '#access/domain/workspaces/workspace.events.js';
import type { Recorded } from '#kernel/events/event.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** The submissions of a workspace for its top account list that are not completely looked up. */
export type AccountSubmissionsDocument = {
  readonly workspaceId: number;
  /** In the order of their arrival. */
  readonly open: readonly OpenSubmission[];
  /** Submissions wait while the workspace is blocked (OP-52). */
  readonly blocked: boolean;
  /** Accounts can be looked up now. */
  readonly isDue: boolean;
  /** null before the first. */
  readonly lastSubmittedAt: string | null;
};

export type OpenSubmission = {
  readonly submissionId: string;
  /** The number of its accounts, and of those looked up so far. */
  readonly accounts: number;
  readonly resolved: number;
  readonly submittedAt: string;
  /** The id of its request, and of its event. */
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
