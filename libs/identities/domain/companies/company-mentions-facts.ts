/**
 * The facts that a company reads from the events of other features, by event type. The feature that declares these
 * events proves that they contain the facts: see `CompletePayloads`.
 */
export type CompanyMentions = {
  /** The company is on the workspace's top account list. */
  readonly TopAccountFound: { readonly companyId: number };
  /** The company was removed from that list. */
  readonly TopAccountRemoved: { readonly companyId: number };
  /** Work on the company was requested; `source` `api`: by a call that names the company. */
  readonly ContentRequestCreated: { readonly companyId: number; readonly source: string };
};
