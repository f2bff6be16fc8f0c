/** Fails if a check found anything: with what to do, and a line for each find. */
export function expectNone(found: readonly unknown[], remedy: string): void {
  if (found.length === 0) return;
  const lines = found.map((one) => `  ${typeof one === 'string' ? one : JSON.stringify(one)}`);
  throw new Error([`${remedy}:`, ...lines].join('\n'));
}
