import { createHmac, randomBytes } from 'node:crypto';

/** The length of a signing secret: Standard Webhooks allows 24 to 64 bytes. */
const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** A new signing secret. */
export const newSigningSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The signed content: the id of the event, the time of the attempt in seconds, and the body as it is sent. */
export type Signed = { readonly id: string; readonly timestamp: number; readonly body: string };

/**
 * The value of `webhook-signature` as Standard Webhooks defines it (scheme `v1`, HMAC-SHA256): one signature per
 * secret, separated by spaces.
 */
export function signatureOf({ id, timestamp, body }: Signed, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
      return `v1,${mac.digest('base64')}`;
    })
    .join(' ');
}

/** The members of an endpoint that name its secrets. */
export type SecretsOf = {
  readonly secretId: string;
  readonly previousSecretId: string | null;
  /** Real time. */
  readonly previousUntil: string | null;
};

/** The names of the secrets that sign for an endpoint at this real time, newest first. */
export function signingSecretIds(
  { secretId, previousSecretId, previousUntil }: SecretsOf,
  nowMs: number,
): readonly string[] {
  const isStillSigning = previousUntil !== null && Date.parse(previousUntil) > nowMs;
  return previousSecretId !== null && isStillSigning ? [secretId, previousSecretId] : [secretId];
}
