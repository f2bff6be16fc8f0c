import { hash, timingSafeEqual } from 'node:crypto';
import { sha256Hex } from '#kernel/values/hash.js';
import { FIRST_OPERATOR, operatorNamed, type OperatorDirectory } from '#kernel/values/operators.js';
import { bearerCredential, type Authentication, type Caller } from './callers.js';

const FIRST: Caller = { kind: 'operator', operator: FIRST_OPERATOR };

/** Authenticates the first operator by `firstToken` (`OPS_TOKEN`), and the others by their own tokens. */
export function operatorAuthentication(firstToken: string, directory: OperatorDirectory): Authentication {
  const expected = digest(firstToken);
  return {
    needs:
      'The token of an operator is needed: Authorization: Bearer <OPS_TOKEN>, or what `operator add` printed.',
    authenticate: (authorization) => {
      const given = bearerCredential(authorization);
      if (given === null) return null;
      if (timingSafeEqual(digest(given), expected)) return FIRST;
      const name = operatorNamed(given);
      return name === null ? null : lookUp(directory, name, given);
    },
  };
}

async function lookUp(directory: OperatorDirectory, name: string, token: string): Promise<Caller | null> {
  const operator = await directory.find(name, sha256Hex(token));
  return operator === null ? null : { kind: 'operator', operator };
}

/** Of fixed length, so that a comparison reveals nothing about the text. */
const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
