import { Counter, Histogram, type Registry } from 'prom-client';
import type { CutConnection } from './connections.js';
import type { LogOutput } from './log-output.js';

/** One answered request. */
export type AnsweredRequest = {
  readonly method: string;
  /** Route pattern, never the path, which would make a time series for each id. Null if no route matched. */
  readonly route: string | null;
  readonly status: number;
  readonly durationSeconds: number;
  /** Slug of the problem, null for a success. */
  readonly problem: string | null;
};

export type RequestMetrics = {
  readonly answered: (request: AnsweredRequest) => void;
  /** A connection was cut, for this reason. */
  readonly cut: (reason: CutConnection['reason']) => void;
};

/** Registers the request metrics; the private listener serves them. */
export function createRequestMetrics(registry: Registry): RequestMetrics {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const problems = new Counter({
    name: 'http_problems_total',
    help: 'Requests answered with a problem document, by type of problem',
    labelNames: ['route', 'problem'] as const,
    registers: [registry],
  });
  const cuts = new Counter({
    name: 'http_connections_cut_total',
    help: 'Connections that were cut because their client did not read for 30 s, or while the limit of unread responses was exceeded',
    labelNames: ['reason'] as const,
    registers: [registry],
  });
  return {
    cut: (reason) => cuts.inc({ reason }),
    answered: ({ method, route, status, durationSeconds, problem }) => {
      durations.observe({ method, route: route ?? 'none', status }, durationSeconds);
      if (problem !== null) problems.inc({ route: route ?? 'none', problem });
    },
  };
}

/** Registers the number of log lines that could not be written. */
export function countDroppedLines(registry: Registry, log: Pick<LogOutput, 'dropped'>): void {
  let counted = 0;
  new Counter({
    name: 'log_lines_dropped_total',
    help: 'Log lines that could not be written: the disk is full, or the reader has ended or is too slow',
    registers: [registry],
    collect() {
      const dropped = log.dropped();
      this.inc(dropped - counted);
      counted = dropped;
    },
  });
}
