import type { TopAccountTier } from './top-accounts.events.js';

export type TopAccount = {
  readonly companyId: number;
  readonly tier: TopAccountTier | null;
  /** The business unit that it belongs to; null for all of them. */
  readonly personaId: number | null;
  /** The business units for which it was picked to be monitored. */
  readonly pickedFor: readonly number[];
};

/** A submission that is being looked up. */
type OpenSubmission = {
  readonly submissionId: string;
  /** Accounts of it, those that were looked up, from the first on, and those that were new to the workspace. */
  readonly accounts: number;
  readonly resolved: number;
  readonly newAccounts: number;
};

export type TopAccounts = {
  readonly topAccountListId: number | null;
  /** Keys ever accepted, aliases too, and how many accounts they were: removing gives none back (TAL-14). */
  readonly keys: Set<string>;
  readonly acceptedAccounts: number;
  /** By id, in the order in which they came. */
  readonly submissions: Map<string, OpenSubmission>;
  /** Ids of accounts that were not found, by key. */
  readonly notFound: Map<string, number>;
  /** Found accounts by id; grows in place with the fold. */
  readonly accounts: Map<number, TopAccount>;
  /** Account by company: a company is one account, under however many names it was submitted. */
  readonly byCompany: Map<number, number>;
};
