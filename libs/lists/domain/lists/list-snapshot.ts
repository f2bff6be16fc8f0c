import type { JsonObject } from '#kernel/values/json.js';
import type { List } from './list-state.js';
import type { MemberMonitoring } from './member.events.js';
import { emptyMembership, openBatch, remember, type Member } from './membership.js';

type StoredList = Omit<List, 'membership' | 'mayBeMonitored'> & {
  /** Absent in older ones: then it may be. */
  readonly mayBeMonitored?: boolean;
  readonly members: readonly Member[];
  readonly monitoring: readonly (readonly [number, MemberMonitoring])[];
  readonly batches: readonly {
    readonly batch: number;
    readonly started: boolean;
    readonly memberIds: readonly number[];
  }[];
};

/** A list's state in its snapshot; the indexes of identifiers are rebuilt from the members. */
export function listToJson({ membership, ...list }: List): JsonObject {
  const stored: StoredList = {
    ...list,
    members: [...membership.byId.values()],
    monitoring: [...membership.monitoring],
    batches: [...membership.batches].map(([batch, { started, memberIds }]) => ({
      batch,
      started,
      memberIds: [...memberIds],
    })),
  };
  return stored;
}

export function listFromJson(json: JsonObject): List {
  // The snapshot's version and checksum were checked: it has the form that `listToJson` writes.
  const { members, monitoring, batches, mayBeMonitored = true, ...list } = json as unknown as StoredList;
  const membership = emptyMembership();
  for (const member of members) remember(membership, member);
  for (const [memberId, wanted] of monitoring) membership.monitoring.set(memberId, wanted);
  for (const { batch, started, memberIds } of batches) openBatch(membership, batch, memberIds, started);
  return { ...list, mayBeMonitored, membership };
}
