import { visibleExperience } from './facts.js';
import type { Key, KeyStore, KeyOrder } from './key-reads.js';
import { keywordMatcher } from './keyword-matching.js';
import { knownEntities } from './known-authors.js';
import { lanePages } from './lane-pages.js';
import { moveOf, type RecordedMove } from './moves.js';
import type { MoveScope, NetworkSource, ObservedMove } from './network-source.port.js';
import { positionOf } from './position.js';

/** Moves of people, with the current facts of people and companies. */
export function moveReads(store: KeyStore): Pick<NetworkSource, 'moves'> {
  const pageOf = lanePages(store);
  return {
    moves: (search) => {
      const { lane, members } = laneOf(search.of);
      const wants = search.titles === undefined ? {} : { wants: withTitle(search.titles) };
      return pageOf(lane, members, { ...search, ...wants }, (page) => movesOf(store, page));
    },
  };
}

/** For most moves of everybody only the title is read. */
function withTitle(titles: readonly string[]): (key: Key) => boolean {
  const find = keywordMatcher(titles, 'any');
  return ({ title }) => title === undefined || (title !== null && find(title).length > 0);
}

function laneOf(scope: MoveScope | undefined): {
  readonly lane: KeyOrder;
  readonly members: readonly string[] | null;
} {
  if (scope === undefined) return { lane: { of: 'move', by: 'person' }, members: null };
  if ('personRefs' in scope) return { lane: { of: 'move', by: 'person' }, members: scope.personRefs };
  if ('toCompanyRefs' in scope) return { lane: { of: 'move', by: 'to' }, members: scope.toCompanyRefs };
  return { lane: { of: 'move', by: 'from' }, members: scope.fromCompanyRefs };
}

async function movesOf(store: KeyStore, page: readonly Key[]): Promise<readonly ObservedMove[]> {
  const recorded = await store.moves(page);
  const known = await knownEntities(store, {
    people: recorded.map(({ personRef }) => personRef),
    companies: recorded.flatMap(companyRefsOf),
  });
  return recorded.flatMap((one, index) => {
    const key = page[index];
    const move = moveOf(one, (ref) => known.company(ref)?.name ?? null);
    const person = known.person(one.personRef);
    if (key === undefined || move === null || person === null) return [];
    return [
      {
        personRef: move.personRef,
        rev: move.rev,
        observedAt: move.observedAt,
        from: move.from && visibleExperience(move.from),
        change: move.change,
        previous: move.previous && visibleExperience(move.previous),
        current: move.current && visibleExperience(move.current),
        position: positionOf(key),
        reading: one.source ?? null,
        previousCompany: known.company(move.previous?.companyRef ?? null),
        currentCompany: known.company(move.current?.companyRef ?? null),
        person,
      },
    ];
  });
}

function companyRefsOf({
  from,
  to,
  lastEnded,
  alreadyOpen,
  likeFrom,
}: RecordedMove): readonly (string | null)[] {
  const positions = [from, to, lastEnded, ...alreadyOpen, ...likeFrom];
  return positions.map((position) => position?.companyRef ?? null);
}
