import type { CommandContext } from '#kernel/commands/decider.js';
import type { Cause } from '#ledger/domain/credits.events.js';

/** What a cause says of who asked: the API key, where one did. */
export const askedBy = ({ actor }: Pick<CommandContext, 'actor'>): Pick<Cause, 'keyId'> =>
  actor.kind === 'apiKey' ? { keyId: Number(actor.id) } : {};
