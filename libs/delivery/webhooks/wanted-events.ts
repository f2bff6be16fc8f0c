import type { ReadModels } from '#kernel/ports/read-store.port.js';
import {
  eventFeed,
  FEED_TYPES,
  type FeedEntryDocument,
  type FeedType,
} from '#projections/delivery/event-feed/event-feed.projection.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import { signalRunKey, signalRuns } from '#projections/signals/signal-runs/signal-runs.projection.js';
import { templateKeysOf } from '#projections/signals/signal-setups/template-keys.js';
import type { FeedPoint } from '../event-feed.js';

type Endpoint = Pick<
  WebhookEndpointDocument,
  'workspaceId' | 'types' | 'signalSetupIds' | 'signalTemplateKeys' | 'listIds' | 'addedPosition'
>;

/** The types that an endpoint wants, as the feed names them; null: all. */
export const wantedTypes = ({ types }: Endpoint): readonly FeedType[] | null =>
  types === null ? null : FEED_TYPES.filter((type) => types.includes(type));

/**
 * The entries that an endpoint wants, in the same order. Setups and templates narrow signals and ends of runs, lists
 * narrow members; other types pass.
 */
export async function wantedOf(
  readModels: ReadModels,
  endpoint: Endpoint,
  entries: readonly FeedEntryDocument[],
): Promise<readonly FeedEntryDocument[]> {
  const { workspaceId, types, signalSetupIds, signalTemplateKeys, listIds } = endpoint;
  const asked = entries.filter(({ type }) => types === null || types.includes(type));
  if (signalSetupIds === null && signalTemplateKeys === null && listIds === null) return asked;
  const runs = await readModels.getMany(
    signalRuns,
    asked.flatMap(({ type, subjectId }) => (type === 'run.ended' ? [signalRunKey(subjectId)] : [])),
  );
  const sourceOf = ({ type, subjectId, sourceId }: FeedEntryDocument): number | null =>
    type === 'run.ended' ? (runs.get(signalRunKey(subjectId))?.sourceId ?? null) : sourceId;
  const sources = asked.map(sourceOf).filter((id) => id !== null);
  const templates =
    signalTemplateKeys === null ? null : await templateKeysOf(readModels, workspaceId, sources);
  return asked.filter((entry) => {
    if (entry.type === 'list.member_unresolved')
      return listIds === null || (entry.listId !== null && listIds.includes(entry.listId));
    if (entry.type !== 'signal.detected' && entry.type !== 'run.ended') return true;
    const source = sourceOf(entry);
    if (signalSetupIds !== null && (source === null || !signalSetupIds.includes(source))) return false;
    if (signalTemplateKeys === null) return true;
    const key = source === null ? undefined : templates?.get(source);
    return key !== undefined && signalTemplateKeys.includes(key);
  });
}

const LOOKED_AT_ONCE = 200;

/** The id of the last event before this point that the endpoint wants, since it was added; null: there is none. */
export async function previousWanted(
  readModels: ReadModels,
  endpoint: Endpoint,
  { position, place }: FeedPoint,
): Promise<string | null> {
  const types = wantedTypes(endpoint);
  const narrowed = {
    workspaceId: endpoint.workspaceId,
    ...(types === null ? {} : { type: { in: types } }),
  };
  const order = [
    ['position', 'desc'],
    ['place', 'desc'],
  ] as const;
  for (let before: FeedPoint = { position, place }; ;) {
    const page: readonly FeedEntryDocument[] = await readModels.find(eventFeed, {
      where: { ...narrowed, position: { gt: endpoint.addedPosition, lte: before.position } },
      sort: order,
      after: [before.position, before.place],
      limit: LOOKED_AT_ONCE,
    });
    const found = (await wantedOf(readModels, endpoint, page)).at(0);
    if (found !== undefined) return found.id;
    const last = page.at(-1);
    if (last === undefined || page.length < LOOKED_AT_ONCE) return null;
    before = last;
  }
}
