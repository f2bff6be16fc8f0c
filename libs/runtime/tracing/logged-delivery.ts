import type { SpanExporter } from '@opentelemetry/sdk-trace';

/** Called when spans stop reaching the collector, and when they reach it again; not for each lost span. */
export type DeliveryLog = { readonly lost: (reason: string) => void; readonly back: () => void };

const SUCCESS = 0;

/** Wraps an exporter: `log` is called when it begins to fail and when it succeeds again. */
export function loggedDelivery(exporter: SpanExporter, log: DeliveryLog): SpanExporter {
  let isLost = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const fails = result.code !== SUCCESS;
        if (fails && !isLost) log.lost(reasonOf(result.error));
        if (!fails && isLost) log.back();
        isLost = fails;
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/** In one line: a refused connection of several addresses has no message, only a code. */
function reasonOf(error: Error | undefined): string {
  if (error === undefined) return 'unknown';
  const [line = ''] = error.message.split('\n');
  if (line !== '') return line;
  return 'code' in error ? String(error.code) : error.name;
}
