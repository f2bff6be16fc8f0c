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
 * Looks up the profiles of people who were added to lists (OP-45): first it says that they are pending, then what
 * was found of each. Stopped anywhere it begins again and records only those who are still open.
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
    const optionsOf = (step: string) => ({
      context: contextOf(work, step),
      answer: () => null,
      waitForReadModels: false,
    });
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

/** The ids of commands follow from whom they are about, so that doing it twice has no second effect. */
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
