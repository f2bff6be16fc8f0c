/** How often the events of a command were sent to the event store: repeated after a conflict or an unknown outcome. */
export type AppendAttempts = {
  readonly watch: (traceparent: string) => { readonly made: () => number };
  readonly sent: (traceparents: Iterable<string>) => void;
};

/** Counts per running command; the span of a command takes its count. */
export function appendAttempts(): AppendAttempts {
  const counts = new Map<string, number>();
  return {
    watch(traceparent) {
      counts.set(traceparent, 0);
      return {
        made() {
          const count = counts.get(traceparent) ?? 0;
          counts.delete(traceparent);
          return count;
        },
      };
    },
    sent(traceparents) {
      for (const traceparent of traceparents) {
        const count = counts.get(traceparent);
        if (count !== undefined) counts.set(traceparent, count + 1);
      }
    },
  };
}
