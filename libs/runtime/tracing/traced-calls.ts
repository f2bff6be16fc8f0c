import { inPart, type Tracing } from '#kernel/ports/tracing.port.js';
import type { NetworkStore } from '#network/network-store.js';

/** Wraps a port: calls of these names are traced as part of their caller's trace. */
export function tracedCalls<Port extends object>(
  port: Port,
  name: string,
  methods: readonly (keyof Port & string)[],
  tracing: Tracing,
): Port {
  const followed: ReadonlySet<string | symbol> = new Set(methods);
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      if (!followed.has(key)) return member.bind(target);
      const start = { name: `${name} ${String(key)}`, kind: 'client' } as const;
      return (...given: readonly unknown[]) =>
        inPart(tracing, start, async () => Reflect.apply(member, target, given));
    },
  });
}

/** The observed network with traced searches and look-ups; calls made by the thousand are not traced. */
export function tracedNetwork(network: NetworkStore, tracing: Tracing): NetworkStore {
  const { source, directory } = network;
  return {
    ...network,
    source: tracedCalls(
      source,
      'network',
      ['posts', 'jobPostings', 'interactions', 'moves', 'headcounts', 'companyEvents'],
      tracing,
    ),
    directory: tracedCalls(
      directory,
      'network',
      ['resolveCompanies', 'resolvePeople', 'companies', 'people', 'employees'],
      tracing,
    ),
  };
}
