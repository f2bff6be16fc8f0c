/** A reporter for Node's test runner: the run's own counts as JSON, the totals that it tells last. */
export default async function* countTests(events) {
  const counts = {};
  for await (const { type, data } of events) {
    const said =
      type === 'test:diagnostic' ? /^(tests|pass|fail|cancelled|skipped) (\d+)$/.exec(data.message) : null;
    if (said !== null) counts[said[1]] = Number(said[2]);
  }
  yield JSON.stringify(counts);
}
