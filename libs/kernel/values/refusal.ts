import type { JsonValue } from './json.js';

/**
 * What a refusal is about, in the domain's words. libs/http turns a kind into a status:
 * unacceptable 400, unpayable 402, forbidden 403, missing 404, conflicting 409, gone 410, unprocessable 422.
 */
export type RefusalKind =
  'unacceptable' | 'unpayable' | 'forbidden' | 'missing' | 'conflicting' | 'gone' | 'unprocessable';

export type RefusalDetails = {
  readonly detail?: string;
  /** Messages by property or parameter name. */
  readonly errors?: ReadonlyMap<string, readonly string[]>;
  /** Extension members of the problem document, e.g. credits_required. */
  readonly members?: { readonly [member: string]: JsonValue };
};

/** Thrown by a decision or a handler if the rules do not allow the request. */
export class Refusal extends Error {
  constructor(
    readonly declaration: RefusalDeclaration,
    readonly details: RefusalDetails,
  ) {
    super(details.detail ?? declaration.detail);
    this.name = 'Refusal';
  }
}

export type RefusalSpec = {
  /** Stable kebab-case name, e.g. `insufficient-credits`. */
  readonly code: string;
  readonly kind: RefusalKind;
  /** Default sentence for the caller. */
  readonly detail: string;
  /** Title in v3 problem documents if it differs from the default of the status. */
  readonly title?: string;
  /** Slug in v2 problem types if it differs from the default of the status. */
  readonly slug?: string;
};

/** A declared refusal: call it to make the error to throw. */
export type RefusalDeclaration = RefusalSpec & ((details?: RefusalDetails) => Refusal);

/** Declares a refusal beside the rule that makes it: `throw insufficientCredits({ members: {…} })`. */
export function refusal(spec: RefusalSpec): RefusalDeclaration {
  const make = (details: RefusalDetails = {}): Refusal => new Refusal(declaration, details);
  const declaration: RefusalDeclaration = Object.assign(make, spec);
  return declaration;
}

/** `errors` of one field: `{ errors: fieldError('tag', 'is already used') }`. */
export function fieldError(field: string, ...messages: string[]): ReadonlyMap<string, readonly string[]> {
  return new Map([[field, messages]]);
}
