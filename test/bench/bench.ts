import { performance } from 'node:perf_hooks';

/** One line of the table: what was measured, beside what bounds it, in the same run. */
export type Measurement = {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  /** The limit or the peer. */
  readonly beside: string;
  readonly besideValue: number;
  /** measured / beside, where both were measured in turns: the median of what each turn gave. */
  readonly ratio?: number;
  /** What the ratio measured / beside should be. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
  /** Correctness, printed beside speed. */
  readonly proof: string;
};

export type Bench = {
  readonly name: string;
  /** Of a bench that walks the routes: only those with one of these words in their path; all have the empty one. */
  readonly run: (routeWords: readonly string[]) => Promise<readonly Measurement[]>;
};

/** Milliseconds of one call. */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Milliseconds that the processor worked for this process meanwhile: how busy the machine is does not count. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Median of the times of several calls, in milliseconds, after some calls that do not count. */
export async function medianMs(
  calls: number,
  work: (call: number) => unknown,
  warmUp = Math.ceil(calls / 10),
): Promise<number> {
  for (let call = 0; call < warmUp; call += 1) await work(-1 - call);
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) times.push(await timed(() => work(call)));
  return percentile(times, 0.5);
}

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs `total` calls by so many callers, each starting its next when the last one is done; calls a second. */
export async function throughput(
  callers: number,
  total: number,
  work: (call: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const elapsed = await timed(() =>
    Promise.all(
      Array.from({ length: callers }, async () => {
        while (next < total) {
          const call = next;
          next += 1;
          await work(call);
        }
      }),
    ),
  );
  return (total / elapsed) * 1_000;
}
