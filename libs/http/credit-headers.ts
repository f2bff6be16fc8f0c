import { formatCredits, type Credits } from '#kernel/values/credits.js';

/** The credits of a request; `charged` is absent if the answer does not show it. */
export type ReportedCredits = { readonly charged?: Credits; readonly remaining: Credits };

/** The headers of an endpoint that `reportsCredits`: decimal text without trailing zeros. */
export const creditHeaders = ({
  charged,
  remaining,
}: ReportedCredits): { readonly [name: string]: string } => ({
  ...(charged !== undefined && { 'Credits-Charged': formatCredits(charged) }),
  'Credits-Remaining': formatCredits(remaining),
});
