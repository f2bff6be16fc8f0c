import { OPERATOR_NAME } from '#kernel/values/operators.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { Type } from '#kernel/values/schema.js';
import { described } from '#ops/support/inputs.js';
import { newSecret } from './new-secret.js';

export const OperatorName = described(
  'name of the operator: small letters, digits, dots and dashes, at most 40',
  Type.String({ pattern: OPERATOR_NAME }),
);

/** A new token of an operator, and the hash that is stored of it. */
export function newOperatorToken(name: string): { readonly token: string; readonly tokenHash: string } {
  const token = `ops_${name}_${newSecret()}`;
  return { token, tokenHash: sha256Hex(token) };
}
