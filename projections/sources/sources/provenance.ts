import type { Immutable } from '#kernel/events/event.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { sourceKey, sources, type SourceDocument } from './sources.projection.js';

/** Where a signal comes from (SRC-07): each reading of a source that showed what was judged; none of what was piped in. */
export const Provenance = Type.Array(
  Type.Object(
    { kind: Type.String(), name: Type.String(), url: Type.String(), read_at: Timestamp },
    { title: 'SourceReading' },
  ),
  { maxItems: 20 },
);
export type Provenance = Immutable<Static<typeof Provenance>>;

/** A reading as a detection stores it. */
type Reading = { readonly sourceId: number; readonly readAt: string };

/** The provenance of each of these, in their order. A source that this installation does not know is left out. */
export async function provenancesOf(
  readModels: ReadModels,
  found: readonly { readonly provenance?: readonly Reading[] | undefined }[],
): Promise<readonly Provenance[]> {
  const ids = new Set(found.flatMap(({ provenance = [] }) => provenance.map(({ sourceId }) => sourceId)));
  const known =
    ids.size === 0
      ? new Map<string, SourceDocument>()
      : await readModels.getMany(sources, [...ids].map(sourceKey));
  return found.map(({ provenance = [] }) =>
    provenance.flatMap(({ sourceId, readAt }) => {
      const source = known.get(sourceKey(sourceId));
      return source === undefined ? [] : [{ ...shownAs(source), read_at: readAt }];
    }),
  );
}

/** As of any reading: neither kind nor name nor address of a source changes. */
const shownAs = ({ kind, name, url }: SourceDocument) => ({ kind, name, url });
