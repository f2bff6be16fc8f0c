import type { Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { ListFacts } from './domain/lists/list-state.js';
import { list } from './domain/lists/list.js';
import { kindOfList, type ListKind } from './domain/lists/list.events.js';
import { listKey, lists } from '#projections/lists/lists/lists.projection.js';

/** What other features decide by. */
export type KnownList = Pick<ListFacts, 'type' | 'personaIds'> & {
  readonly kind: ListKind;
  readonly archived: boolean;
};

type Ports = { readonly commands: Pick<Commands, 'loadEach'>; readonly readModels: ReadModels };

/** One list, as `knownLists` finds it; null: there is none, or none was named. */
export async function knownList(
  ports: Ports,
  workspaceId: number,
  listId: number | null,
): Promise<KnownList | null> {
  if (listId === null) return null;
  return (await knownLists(ports, workspaceId, [listId])).get(listId) ?? null;
}

/**
 * Those of these lists that the workspace has and has not deleted, by id. A list that the read model does not show in
 * use is looked up in its stream: the read model may be late. Other lists are not, because a stream has all members.
 */
export async function knownLists(
  { commands, readModels }: Ports,
  workspaceId: number,
  listIds: readonly number[],
): Promise<ReadonlyMap<number, KnownList>> {
  const shown = await readModels.getMany(
    lists,
    listIds.map((listId) => listKey(workspaceId, listId)),
  );
  const known = new Map<number, KnownList>();
  for (const { id, type, kind, archived, deleted, persona_ids: personaIds } of shown.values())
    if (!deleted && !archived) known.set(id, { type, kind, archived, personaIds });
  const others = [...new Set(listIds)].filter((listId) => !known.has(listId));
  const found = await commands.loadEach(
    list,
    others.map((listId) => workspaceScoped(workspaceId, listId)),
    ({ facts, deleted, archivedAt }): KnownList | null =>
      facts === null || deleted
        ? null
        : {
            type: facts.type,
            kind: kindOfList(facts.type),
            personaIds: facts.personaIds,
            archived: archivedAt !== null,
          },
  );
  for (const [at, listId] of others.entries()) {
    const one = found[at] ?? null;
    if (one !== null) known.set(listId, one);
  }
  return known;
}
