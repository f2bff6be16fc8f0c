import { visibleText } from '#kernel/values/blank-text.js';
import { everybodyOf, gatherKeys, membership, sizeOf, type Gathered, type KeyFilter } from './gather-keys.js';
import type { Key, KeyStore, KeyOrder, StoredBody } from './key-reads.js';
import { authorOf, knownAuthors, type KnownEntities } from './known-authors.js';
import type {
  InteractionSearch,
  NetworkSource,
  ObservedInteraction,
  ReadingOf,
  Whose,
} from './network-source.port.js';
import type { CommentObservation, PostObservation, ReactionObservation } from './observation.js';
import { pointAt, pointBefore, positionOf, type OrderPoint } from './position.js';
import { readAhead } from './read-ahead.js';
import { boundsOf, iso } from './text-window.js';

type Side = 'by' | 'on';

/**
 * Comments and reactions. The smaller side determines the people to read by. Keys come from the index alone; bodies
 * are read only for a page.
 */
export function interactionReads(store: KeyStore): Pick<NetworkSource, 'interactions'> {
  const ahead = readAhead();

  return {
    interactions: async (search) => {
      const { position = null, limit, kinds, by, on } = search;
      const { firstMs, lastMs } = boundsOf(search);
      if (firstMs > lastMs || kinds.length === 0) return { items: [], next: null };
      const from = position === null ? pointBefore(firstMs) : pointAt(position);
      const { keys, isAll } = await ahead(
        { kinds, by, on, firstMs, lastMs },
        from,
        position === null,
        (count) => gather(store, search, from, lastMs, count),
      );
      const page = keys.slice(0, limit);
      const last = page.at(-1);
      const isLast = last === undefined || (isAll && keys.length <= limit);
      return { items: await itemsOf(store, search, page), next: isLast ? null : positionOf(last) };
    },
  };
}

async function gather(
  store: KeyStore,
  { kinds, by, on }: InteractionSearch,
  from: OrderPoint,
  lastMs: number,
  count: number,
): Promise<Gathered> {
  const side = await smallerSide(store, by, on);
  const whose = side === 'by' ? by : on;
  if (whose === undefined) return { keys: [], isAll: true };
  const other = side === 'by' ? on : by;
  const lanes = kinds.map((kind): KeyOrder => ({ of: kind, by: side === 'by' ? 'actor' : 'host' }));
  const filter = other === undefined ? null : within(store, other, side === 'by' ? 'host' : 'actor');
  return gatherKeys(store, lanes, everybodyOf(store, whose), { from, lastMs, count }, filter);
}

async function smallerSide(store: KeyStore, by: Whose | undefined, on: Whose | undefined): Promise<Side> {
  if (by === undefined) return 'on';
  if (on === undefined) return 'by';
  const [byCount, onCount] = [await sizeOf(store, by), await sizeOf(store, on)];
  return onCount < byCount ? 'on' : 'by';
}

function within(store: KeyStore, whose: Whose, who: 'actor' | 'host'): KeyFilter {
  const members = membership(store, whose);
  return async (keys) => {
    const isMember = await members(keys.flatMap((key) => key[who] ?? []));
    return keys.filter((key) => isMember(key[who] ?? ''));
  };
}

type Joined = {
  readonly key: Key;
  readonly observation: CommentObservation | ReactionObservation;
  readonly reading: ReadingOf;
  readonly post: PostObservation;
  readonly postReading: ReadingOf;
};

/** The current interactions of a page; one that was revised to another position or scope is left out. */
async function itemsOf(
  store: KeyStore,
  { by, on }: InteractionSearch,
  page: readonly Key[],
): Promise<readonly ObservedInteraction[]> {
  const joined = await joinedTo(store, page);
  const known = await knownAuthors(
    store,
    joined.flatMap(({ observation, post }) => [observation.authorRef, post.authorRef]),
  );
  const [holdsActor, holdsHost] = [holds(by, known), holds(on, known)];
  return joined
    .filter(({ observation, post }) => holdsActor(observation.authorRef) && holdsHost(post.authorRef))
    .map((one) => observedInteraction(one, known));
}

async function joinedTo(store: KeyStore, page: readonly Key[]): Promise<readonly Joined[]> {
  const refsOf = (kind: string) => page.flatMap(({ tie, ref }) => (tie === kind ? ref : []));
  const stored: Record<string, ReadonlyMap<string, StoredBody>> = {
    comment: await store.bodies('comment', refsOf('comment')),
    reaction: await store.bodies('reaction', refsOf('reaction')),
  };
  const bodyOf = ({ tie, ref }: Key): StoredBody | undefined => stored[tie]?.get(ref);
  const posts = await store.bodies(
    'post',
    page.flatMap((key) => bodyOf(key)?.target ?? []),
  );
  const parsed = new Map<string, PostObservation>();
  return page.flatMap((key) => {
    const body = bodyOf(key);
    const post = posts.get(body?.target ?? '');
    if (body === undefined || body.host === null || post === undefined) return [];
    const observation: CommentObservation | ReactionObservation = JSON.parse(body.body);
    if (happenedAt(observation) !== iso(key.at)) return [];
    const known = parsed.get(body.target ?? '') ?? postOf(post);
    parsed.set(known.ref, known);
    return [{ key, observation, reading: body.reading, post: known, postReading: post.reading }];
  });
}

function postOf({ body }: StoredBody): PostObservation {
  return JSON.parse(body);
}

function happenedAt(observation: CommentObservation | ReactionObservation): string | null {
  return observation.kind === 'comment' ? observation.publishedAt : observation.reactedAt;
}

/** Whether a person belongs to a scope, by current facts. */
function holds(whose: Whose | undefined, known: KnownEntities): (ref: string | null) => boolean {
  if (whose === undefined) return () => true;
  const companies = new Set(whose.companyRefs);
  const named = new Set([...whose.companyRefs, ...whose.personRefs]);
  return (ref) => {
    if (ref === null) return false;
    return named.has(ref) || companies.has(known.person(ref)?.current?.companyRef ?? '');
  };
}

function observedInteraction(
  { key, observation, reading, post, postReading }: Joined,
  known: KnownEntities,
): ObservedInteraction {
  const { ref, rev, authorRef } = observation;
  const isComment = observation.kind === 'comment';
  return {
    position: positionOf(key),
    reading,
    kind: observation.kind,
    ref,
    rev,
    url: isComment ? observation.url : null,
    text: isComment ? visibleText(observation.text) : null,
    reaction: isComment ? null : observation.reaction,
    happenedAt: iso(key.at),
    actorRef: authorRef ?? '',
    actor: authorOf(authorRef, known),
    post: {
      ref: post.ref,
      rev: post.rev,
      reading: postReading,
      url: post.url,
      text: visibleText(post.text),
      publishedAt: post.publishedAt,
      authorRef: post.authorRef,
      author: authorOf(post.authorRef, known),
    },
  };
}
