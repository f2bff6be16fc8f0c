import type { Immutable } from '#kernel/events/event.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { Nullable, Timestamp, Type, type Static } from '#kernel/values/schema.js';
import { sourceKey, sources, type SourceDocument } from './sources.projection.js';

/** The sources of a signal (SRC-07): each reading that showed the observation; none for ingested streams. */
export const ShownProvenance = Type.Array(
  Type.Object(
    { kind: Type.String(), name: Type.String(), url: Nullable(Type.String()), read_at: Timestamp },
    { title: 'SourceReading' },
  ),
  { maxItems: 20 },
);
export type ShownProvenance = Immutable<Static<typeof ShownProvenance>>;

/** A reading as a detection stores it. */
type Reading = { readonly sourceId: number; readonly readAt: string };

/** The provenance of each of these, in the same order. A source that this installation does not have is left out. */
export async function provenancesOf(
  readModels: ReadModels,
  found: readonly { readonly provenance?: readonly Reading[] | undefined }[],
): Promise<readonly ShownProvenance[]> {
  const ids = new Set(found.flatMap(({ provenance = [] }) => provenance.map(({ sourceId }) => sourceId)));
  const known =
    ids.size === 0
      ? new Map<string, SourceDocument>()
      : await readModels.getMany(sources, [...ids].map(sourceKey));
  return found.map(({ provenance = [] }) =>
    provenance.flatMap(({ sourceId, readAt }) => {
      const source = known.get(sourceKey(sourceId));
      return source === undefined ? [] : [shownAt(source, readAt)];
    }),
  );
}

/** The source as of a reading. The path of a file is private to the operator. */
function shownAt({ kind, name, url, earlier }: SourceDocument, readAt: string): ShownProvenance[number] {
  const address = earlier.find(({ until }) => readAt < until)?.url ?? url;
  return { kind, name, url: /^https?:\/\//i.test(address) ? address : null, read_at: readAt };
}
