import { formatCredits, type Credits } from '#kernel/values/credits.js';

/** What a request came to in credits; `charged` is absent where the answer does not tell it. */
export type CreditsTold = { readonly charged?: Credits; readonly remaining: Credits };

/** The headers of an endpoint that `tellsCredits`: decimal text without trailing zeros. */
export const creditHeaders = ({ charged, remaining }: CreditsTold): { readonly [name: string]: string } => ({
  ...(charged !== undefined && { 'Credits-Charged': formatCredits(charged) }),
  'Credits-Remaining': formatCredits(remaining),
});
