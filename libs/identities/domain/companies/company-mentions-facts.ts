/**
 * What a company is told by features that know more than it, by type of event. Whoever declares these events proves
 * that they say it: see `Told`.
 */
export type CompanyMentions = {
  /** It is on the workspace's top account list. */
  readonly TopAccountFound: { readonly companyId: number };
  /** It is on that list no more. */
  readonly TopAccountRemoved: { readonly companyId: number };
  /** Work on it was asked for; `api`: by a call, which names it. */
  readonly ContentRequestCreated: { readonly companyId: number; readonly source: string };
};
