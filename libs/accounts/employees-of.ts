import { pagesOf } from '#kernel/projections/each-page.js';
import type { NetworkDirectory, PersonFacts } from '#network/network-directory.port.js';

/** The employees of a company by network ref, in pages of at most `size`. Rejects before a page if the signal is aborted. */
export function employeesOf(
  directory: NetworkDirectory,
  companyRef: string,
  size: number,
  signal: AbortSignal,
): AsyncGenerator<readonly PersonFacts[], void, undefined> {
  return pagesOf(
    size,
    (after: string | null) => directory.employees(companyRef, after, size),
    ({ ref }) => ref,
    signal,
  );
}
