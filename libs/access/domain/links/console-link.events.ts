import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, Timestamp, Type } from '#kernel/values/schema.js';

const link = { linkId: Type.String({ minLength: 1 }), workspaceId: Id };

/** Only SHA-256 hashes are stored: of the token in the address, and of the cookie that it was exchanged for. */
export const consoleLinkEvents = {
  ConsoleLinkMade: event(
    Type.Object({ ...link, hash: Type.String(), label: Type.String(), expiresAt: Timestamp }),
  ),
  /** Opened once, for this one session. */
  ConsoleLinkOpened: event(Type.Object({ ...link, sessionHash: Type.String() })),
  ConsoleLinkWithdrawn: event(Type.Object(link)),
};
export type ConsoleLinkEvents = PayloadsOf<typeof consoleLinkEvents>;
