/** A reporter for Node's test runner: a line of JSON for each case, with its title behind those of its suites. */
export default async function* reportCases(events) {
  const titles = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      titles.length = data.nesting;
      titles.push(data.name);
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSuite = data.details?.type === 'suite';
    const cause = data.details?.error?.cause ?? data.details?.error?.message;
    // A suite fails with its cases; only what breaks outside of them is its own.
    if (isSuite && (type === 'test:pass' || data.details.error?.failureType === 'subtestsFailed')) continue;
    const title = [...titles.slice(0, data.nesting), data.name].join(' > ');
    const outcome = data.skip === undefined ? type.slice('test:'.length) : 'skip';
    yield `${JSON.stringify({ title, outcome, message: String(cause?.message ?? cause ?? '').slice(0, 2_000) })}\n`;
  }
}
