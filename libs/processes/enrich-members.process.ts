import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import { list } from '#domain/lists/list.js';
import { recordEnrichment, startEnrichment, type LookedUpMember } from '#domain/lists/list-enrichment.js';
import { MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES, type MemberProfile } from '#domain/lists/member.events.js';
import type { CompanyFacts, PersonFacts } from '#network/network-directory.port.js';
import {
  memberEnrichmentWork,
  type MemberEnrichmentWorkDocument,
} from '#projections/member-enrichment-work/member-enrichment-work.projection.js';
import { capped, shortUrl } from '#detection/observed-facts.js';
import type { Process, ProcessHost } from './process.js';

const NAME_LENGTH = 255;

/**
 * Looks up the profiles of people who were added to lists (OP-45): first it says that they are pending, then what
 * was found of each. Stopped anywhere it begins again and records only those who are still open.
 */
export const enrichMembers: Process<MemberEnrichmentWorkDocument> = {
  name: 'enrich-members',

  due: (host, _now, limit) =>
    host.readModels.find<MemberEnrichmentWorkDocument>(memberEnrichmentWork, {
      sort: [
        ['addedPosition', 'asc'],
        ['batch', 'asc'],
      ],
      limit,
    }),

  key: ({ workspaceId, batch }) => workspaceScoped(workspaceId, batch),

  // A model that stopped would show the same people as open for ever.
  waits: (host, { workspaceId }) => host.isParked(memberEnrichmentWork.name, workspaceId),

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
    const found = await profilesOf(host, members);
    for (const piece of inPiecesOfBytes(found, MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES)) {
      signal.throwIfAborted();
      const decision = recordEnrichment({ batch, found: piece, now: host.clock.now().toISOString() });
      await host.commands.handle(list, stream, decision, optionsOf(`found:${piece[0]?.memberId}`));
    }
  },
};

async function profilesOf(
  { directory }: Pick<ProcessHost, 'directory'>,
  members: MemberEnrichmentWorkDocument['members'],
): Promise<readonly LookedUpMember[]> {
  const resolutions = await directory.resolvePeople(
    members.map(({ handle }) => ({ by: 'handle', handle, entity: 'person' })),
  );
  const people = resolutions.map((resolution) => (resolution.outcome === 'found' ? resolution.facts : null));
  const employerRefs = people.flatMap((person) => person?.current?.companyRef ?? []);
  const employers = await directory.companies([...new Set(employerRefs)]);
  return members.map(({ memberId }, index) => {
    const person = people[index] ?? null;
    if (person !== null) return { memberId, profile: profileOf(person, employers) };
    return { memberId, profile: null, unheardOf: resolutions[index]?.outcome === 'unknown' };
  });
}

function profileOf(person: PersonFacts, employers: ReadonlyMap<string, CompanyFacts>): MemberProfile {
  const { current } = person;
  const employer = employers.get(current?.companyRef ?? '');
  return {
    firstName: capped(person.firstName, NAME_LENGTH),
    lastName: capped(person.lastName, NAME_LENGTH),
    avatarUrl: shortUrl(person.avatarUrl),
    position: capped(current?.title ?? null),
    headline: capped(person.headline),
    currentCompany:
      current === null
        ? null
        : {
            name: capped(employer?.name ?? current.companyName, NAME_LENGTH),
            logoUrl: shortUrl(employer?.logoUrl ?? null),
          },
  };
}

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
