/** What an operator may do: finance sees, exports, closes months and adjusts; an operator may do everything. */
export const OPERATOR_ROLES = ['finance', 'operator'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The operator that calls a command. */
export type ActingOperator = {
  readonly name: string;
  readonly role: OperatorRole;
  /** Present if no token proved the name: the command line accepts the given name. */
  readonly via?: 'cli';
};

/** The name of the holder of `OPS_TOKEN`. It cannot be given to an operator. */
export const FIRST_OPERATOR: ActingOperator = { name: 'operator', role: 'operator' };

/** Where operators are looked up. Rejects with `StoreUnavailable`. */
export interface OperatorDirectory {
  /** The operator whose token has this hash; null for an unknown name, another token and a revoked operator. */
  find(name: string, tokenHash: string): Promise<ActingOperator | null>;
}

/** Names that operators may be given: `maria`, `maria.lopez`. */
export const OPERATOR_NAME = '^[a-z0-9]([a-z0-9.-]{0,38}[a-z0-9])?$';

const OPERATOR_TOKEN = /^ops_([a-z0-9](?:[a-z0-9.-]{0,38}[a-z0-9])?)_[0-9A-Za-z]{43}$/;

/** The name in `ops_<name>_<43 base62>`; null for a text that is no token of an operator. */
export function operatorNamed(token: string): string | null {
  return OPERATOR_TOKEN.exec(token)?.[1] ?? null;
}
