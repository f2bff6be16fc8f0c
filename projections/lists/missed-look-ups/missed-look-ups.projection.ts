import type { ListStreamEvents } from '#lists/domain/lists/list.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { Recorded } from '#kernel/events/event.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { projection } from '#kernel/projections/projection.js';

/** A list member without a profile, to be looked up again after new observations. */
export type MissedLookUpDocument = {
  readonly workspaceId: number;
  readonly listId: number;
  /** The id of the batch: the id of its first member. */
  readonly batch: number;
  readonly memberId: number;
  readonly handle: string;
  /** Whether a look-up ended without a profile; until then the first look-up is pending. */
  readonly missed: boolean;
  /** The network has no observation of them; otherwise it reported that the person does not exist. */
  readonly unheardOf: boolean;
};

type LookUpPayloads = Pick<ListStreamEvents, 'MembersAdded' | 'MembersEnriched' | 'MembersRemoved'>;

const missedLookUpKey = workspaceScoped;

export const missedLookUps = projection<MissedLookUpDocument, LookUpPayloads>()({
  name: 'missed-look-ups',
  version: 1,
  indexes: { missed: ['missed', 'workspaceId', 'memberId'] },
  key: (event) => {
    const workspaceId = workspaceIdOf(event);
    if ('kind' in event.data && event.data.kind !== 'profile') return null;
    return event.data.members.map(({ memberId }) => missedLookUpKey(workspaceId, memberId));
  },
  on: {
    MembersAdded: (_none, event, key) => open(event, key),
    MembersRemoved: () => null,
    MembersEnriched: (person, { data: { members, unheardOf = [] } }) => {
      const looked = members.find(({ memberId }) => memberId === person?.memberId);
      if (person === null || looked === undefined) return person;
      if (looked.profile !== null) return null;
      return { ...person, missed: true, unheardOf: unheardOf.includes(person.memberId) };
    },
  },
});

function open(event: Recorded<LookUpPayloads['MembersAdded']>, key: string): MissedLookUpDocument | null {
  const workspaceId = workspaceIdOf(event);
  const { listId, members } = event.data;
  const [first] = members;
  const added = members.find(({ memberId }) => missedLookUpKey(workspaceId, memberId) === key);
  if (first === undefined || added === undefined || added.handle === null) return null;
  const { memberId, handle } = added;
  return { workspaceId, listId, batch: first.memberId, memberId, handle, missed: false, unheardOf: false };
}
