import { hash, timingSafeEqual } from 'node:crypto';
import { bearerCredential, type Authentication, type Caller } from './callers.js';

const OPERATOR: Caller = { kind: 'operator' };

/** Knows operators by the one token that they share. */
export function operatorAuthentication(token: string): Authentication {
  const expected = digest(token);
  return {
    needs: 'The operator token is needed: Authorization: Bearer <OPS_TOKEN>.',
    authenticate: (authorization) => {
      const given = bearerCredential(authorization);
      return given !== null && timingSafeEqual(digest(given), expected) ? OPERATOR : null;
    },
  };
}

/** Of one length whatever the text, so that comparing tells nothing of it. */
const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
