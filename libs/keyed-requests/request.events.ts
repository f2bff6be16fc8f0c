import { event, type PayloadsOf } from '#kernel/events/event.js';
import { Id, JsonMembers, Type } from '#kernel/values/schema.js';

/** Who works on a request, and until when it counts as alive (real time, never the clock of the product). */
const Lease = Type.Object({ attempt: Type.String(), holder: Type.String(), until: Type.String() });

/** Streams named after a caller's key, so that a repeated request is recognised. */
export const requestEvents = {
  /**
   * The request that owns the key, and the ids it was given before it had any effect. Once more with the same
   * command id: another attempt at the same request, after the first one was lost.
   */
  RequestClaimed: event(
    Type.Object({
      requestHash: Type.String(),
      commandId: Type.String(),
      ids: JsonMembers,
      lease: Type.Optional(Lease),
    }),
  ),
  /**
   * Ids that an attempt is going to use; every later attempt gets the same ones. `kind` is followed by a space and the id of
   * the command that records them if a request sends several.
   */
  RequestIdsAllocated: event(
    Type.Object({ attempt: Type.String(), kind: Type.String(), ids: Type.Array(Id) }),
  ),
  /** The attempt ended without an answer to store, so that the next attempt need not wait for the end of its lease. */
  RequestReleased: event(Type.Object({ attempt: Type.String() })),
  /** The one answer of the request; `body` is its text. */
  RequestAnswered: event(
    Type.Object({
      attempt: Type.String(),
      status: Type.Integer(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String(),
    }),
  ),
};
export type RequestEvents = PayloadsOf<typeof requestEvents>;
