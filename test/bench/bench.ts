import { performance } from 'node:perf_hooks';

/** One line of the table: a measured value, beside its limit or peer from the same run. */
export type Measurement = {
  readonly what: string;
  readonly measured: number;
  readonly unit: string;
  /** The limit or the peer. */
  readonly beside: string;
  readonly besideValue: number;
  /** measured / beside, if both were measured in turns: the median over the turns. */
  readonly ratio?: number;
  /** The goal for the ratio measured / beside. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
  /** Correctness, printed beside speed. */
  readonly proof: string;
};

export type Bench = {
  readonly name: string;
  /** For a bench over the routes: only those with one of these words in their path; all contain the empty one. */
  readonly run: (routeWords: readonly string[]) => Promise<readonly Measurement[]>;
};

/** A measurement whose limit is a maximum. */
export const below = (
  what: string,
  unit: string,
  measured: number,
  most: number,
  proof: string,
): Measurement => ({
  what,
  measured,
  unit,
  beside: 'limit',
  besideValue: most,
  goal: { atMost: 1 },
  proof,
});

/** Milliseconds of one call. */
export async function timed(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Processor time of this process during the work, in milliseconds: independent of other load on the machine. */
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

/**
 * Runs `total` calls by this many callers, each starting its next when the last one is done; returns calls a second.
 */
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
