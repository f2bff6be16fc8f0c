import { eachPage } from '#kernel/projections/each-page.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { sources, type SourceDocument } from '#projections/sources/sources/sources.projection.js';
import { kindOf } from './source-kinds.js';

const AT_ONCE = 100;

/**
 * The sources of a kind that are read at an address, or were before they moved on (SRC-03). Removed ones are included. Few
 * sources have moved, so all of these are compared.
 */
export async function sourcesAt(
  readModels: Pick<ReadModels, 'find'>,
  kind: string,
  address: string,
): Promise<readonly SourceDocument[]> {
  const whereRead = ({ url }: { readonly url: string }): string | null =>
    kindOf(kind)?.whereRead({ url }) ?? null;
  const found: SourceDocument[] = [
    ...(await readModels.find<SourceDocument>(sources, { where: { kind, url: address }, limit: AT_ONCE })),
  ];
  const pages = eachPage(readModels, sources, {
    where: { kind, hasMoved: true },
    sort: [['id', 'asc']],
    limit: AT_ONCE,
  });
  for await (const page of pages)
    found.push(
      ...page.filter(
        ({ url, earlier }) => url !== address && earlier.some((each) => whereRead(each) === address),
      ),
    );
  return found;
}
