import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import { list } from './domain/lists/list.js';
import { recordEnrichment, startEnrichment } from './domain/lists/list-enrichment.js';
import { MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES } from './domain/lists/member.events.js';
import {
  memberEnrichmentWork,
  type MemberEnrichmentWorkDocument,
} from '#projections/lists/member-enrichment-work/member-enrichment-work.projection.js';
import { lookUpProfiles } from './member-profiles.js';
import type { Process } from '#process-engine/process.js';
import { toDo } from '#process-engine/to-do.js';

/**
 * Looks up the profiles of people added to lists (OP-45): it records that they are pending, then the result of each.
 * After a stop at any point it begins again and records only the open ones.
 */
export const enrichMembers: Process<MemberEnrichmentWorkDocument> = {
  name: 'enrich-members',
  lane: 'lookups',
  atOnce: 4,
  toDo: toDo(memberEnrichmentWork, { oldestFirst: ['addedPosition', 'batch'] }),
  key: ({ workspaceId, batch }) => workspaceScoped(workspaceId, batch),
  waitsFor: [memberEnrichmentWork.name],

  async act(host, work, signal) {
    const { workspaceId, listId, batch, members } = work;
    const stream = workspaceScoped(workspaceId, listId);
    const optionsOf = (step: string) => ({ context: contextOf(work, step), waitForReadModels: false });
    await host.commands.handle(list, stream, startEnrichment(batch), optionsOf('start'));
    signal.throwIfAborted();
    const found = await lookUpProfiles(host.directory, members);
    for (const piece of inPiecesOfBytes(found, MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES)) {
      signal.throwIfAborted();
      const decision = recordEnrichment({ batch, found: piece, now: host.clock.now().toISOString() });
      await host.commands.handle(list, stream, decision, optionsOf(`found:${piece[0]?.memberId}`));
    }
  },
};

/** The ids of commands are derived from the people they are about, so that a repetition has no effect. */
function contextOf(work: MemberEnrichmentWorkDocument, step: string): CommandContext {
  const { workspaceId, listId, batch, correlationId, addedEventId } = work;
  return {
    commandId: `enrich:${workspaceId}_${listId}:${batch}:${step}`,
    actor: { kind: 'process', id: enrichMembers.name },
    workspaceId,
    correlationId,
    causationId: addedEventId,
  };
}
