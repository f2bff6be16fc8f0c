import type { Decision } from '#kernel/commands/decider.js';
import type { FailedReason, RequestType } from '#accounts/domain/content-requests/content-request.events.js';
import type { topAccountEvents, TopAccountTier } from './top-accounts.events.js';

export type TopAccount = {
  readonly companyId: number;
  readonly tier: TopAccountTier | null;
  /** The business unit that it belongs to; null for all of them. */
  readonly personaId: number | null;
  /** The business units for which it is picked. */
  readonly pickedFor: readonly number[];
};

/** A submission that is being looked up. */
type OpenSubmission = {
  readonly submissionId: string;
  /** The number of its accounts, of those looked up so far, and of those that were new to the workspace. */
  readonly accounts: number;
  readonly resolved: number;
  readonly newAccounts: number;
};

/** The newest request of a type for a company. */
export type AccountRequest = {
  readonly requestId: number;
  /** Null while it is in progress. */
  readonly outcome: 'completed' | FailedReason | null;
  /** The day (UTC) of its end. */
  readonly endedOn: string | null;
};

/** The newest requests for a company, by type; those of removed companies stay. */
export type AccountRequests = { readonly [Type in RequestType]?: AccountRequest };

export type TopAccountsState = {
  readonly topAccountListId: number | null;
  /** All keys ever accepted, including aliases, and the number of accounts; a removal does not reduce it (TAL-14). */
  readonly keys: Set<string>;
  readonly acceptedAccounts: number;
  /** By id, in the order of their arrival. */
  readonly submissions: Map<string, OpenSubmission>;
  /** Ids of accounts that were not found, by key. */
  readonly notFound: Map<string, number>;
  /** Found accounts by id; grows in place with the fold. */
  readonly accounts: Map<number, TopAccount>;
  /** By company. */
  readonly requests: Map<number, AccountRequests>;
  /** Account by company: a company is one account, under any number of submitted names. */
  readonly byCompany: Map<number, number>;
};

/** A decision on the list of a workspace. */
export type TopAccountsDecision = Decision<TopAccountsState, typeof topAccountEvents>;
