import { event, type PayloadsOf } from '#kernel/event.js';
import { JsonMembers, Type } from '#kernel/schema.js';

/** Streams named after a caller's key, so that a repeated request is recognised. */
export const requestEvents = {
  /** The request that owns the key, and the ids it was given before it had any effect. */
  RequestClaimed: event(
    Type.Object({ requestHash: Type.String(), commandId: Type.String(), ids: JsonMembers }),
  ),
};
export type RequestEvents = PayloadsOf<typeof requestEvents>;
