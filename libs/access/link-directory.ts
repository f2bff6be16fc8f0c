import { randomBytes, randomUUID } from 'node:crypto';
import type { LinkAccess, LinkDirectory } from '#kernel/values/console-links.js';
import { sha256Hex } from '#kernel/values/hash.js';
import type { ProcessHost } from '#process-engine/process.js';
import { consoleLink, consoleLinkStreamId, openLink, type ConsoleLink } from './domain/links/console-link.js';

const SECRET_BYTES = 32;

/**
 * Opens read-only links, and reads their sessions from the event store: a session survives a restart, and a withdrawal
 * takes effect with the next request in every process.
 */
export function linkDirectory({ commands, clock }: Pick<ProcessHost, 'commands' | 'clock'>): LinkDirectory {
  const accessOf = (state: ConsoleLink): LinkAccess => {
    if (state.status === 'unknown') throw new Error('a link was opened that is unknown');
    const { linkId, label, workspaceId, expiresAt } = state;
    return { linkId, label, workspaceId, expiresAt };
  };
  return {
    async open(token, correlationId) {
      const hash = sha256Hex(token);
      const stream = consoleLinkStreamId(hash);
      // The secret names its stream, so that a request finds the link without the token.
      const secret = `${stream}.${randomBytes(SECRET_BYTES).toString('base64url')}`;
      const decision = openLink(hash, sha256Hex(secret), clock.now().toISOString());
      const context = {
        commandId: randomUUID(),
        actor: { kind: 'system', id: 'console' },
        workspaceId: null,
        correlationId,
      } as const;
      const { answer } = await commands.handle(consoleLink, stream, decision, { context, answer: accessOf });
      return { secret, access: answer };
    },
    find(secret) {
      const [stream = ''] = secret.split('.');
      return commands.load(consoleLink, stream, (state) => {
        if (state.status !== 'opened' || state.sessionHash !== sha256Hex(secret)) return null;
        return state.expiresAt <= clock.now().toISOString() ? null : accessOf(state);
      });
    },
  };
}
