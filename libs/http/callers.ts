import type { ActingOperator } from '#kernel/values/operators.js';

/** The caller, as the listener authenticated it. */
export type Caller =
  | { readonly kind: 'public' }
  | {
      readonly kind: 'apiKey';
      readonly workspaceId: number;
      readonly keyId: number;
      readonly isReadOnly?: boolean;
    }
  | { readonly kind: 'operator'; readonly operator: ActingOperator };

export type CallerKind = Caller['kind'];

/** How a listener authenticates the callers of one kind by their Authorization header. */
export type Authentication = {
  /**
   * The caller, or null if the header is not valid; without a promise if no look-up is needed. Throws
   * `StoreUnavailable`.
   */
  readonly authenticate: (authorization: string | undefined) => Caller | null | Promise<Caller | null>;
  /** What the detail of a 401 asks for. */
  readonly needs: string;
};

/** The kinds of callers that a listener admits besides the public. */
export type AdmittedCallers = { readonly [Kind in Exclude<CallerKind, 'public'>]?: Authentication };

export const THE_PUBLIC: Caller = { kind: 'public' };

const BEARER = /^bearer /i;

/** What follows the scheme in `Authorization: Bearer …` (the scheme in any case), or null for anything else. */
export function bearerCredential(authorization: string | undefined): string | null {
  if (authorization === undefined || !BEARER.test(authorization)) return null;
  return authorization.slice('bearer '.length).trim();
}
