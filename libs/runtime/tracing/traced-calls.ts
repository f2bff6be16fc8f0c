import { inPart, type Tracing } from '#kernel/ports/tracing.port.js';
import type { NetworkStore } from '#network/network-store.js';

/** The same port with its calls followed, those of these names, as parts of what makes them. */
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

/** The observed network with its searches and look-ups followed; what is asked by the thousand is left out. */
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
