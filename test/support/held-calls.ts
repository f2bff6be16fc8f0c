import type { Outside } from '#runtime/service-host.js';
import { openStores } from '#runtime/stores.js';
import { moment } from './moment.js';

/** Calls of a store that wait until the test releases them. */
export type HeldCalls = {
  /** From now on, calls for which this is true wait. */
  readonly hold: (isMeant: (method: string, parameters: readonly unknown[]) => boolean) => void;
  /** Resolves when the first of them waits. */
  readonly reached: () => Promise<void>;
  /** Releases them, and holds no more. */
  readonly release: () => void;
  readonly outside: Pick<Outside, 'openStores'>;
};

/** Stores of a service of which a test holds some calls, to do something else meanwhile. */
export function heldCalls(): HeldCalls {
  let isMeant: ((method: string, parameters: readonly unknown[]) => boolean) | null = null;
  let reached = moment();
  let released = moment();

  const held = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...parameters: unknown[]): unknown => {
          const call = (): unknown => Reflect.apply(member, target, parameters);
          if (isMeant?.(String(name), parameters) !== true) return call();
          reached.resolve();
          return released.promise.then(call);
        };
      },
    });

  return {
    hold(next) {
      [reached, released] = [moment(), moment()];
      isMeant = next;
    },
    reached: () => reached.promise,
    release() {
      isMeant = null;
      released.resolve();
    },
    outside: {
      async openStores(settings, options) {
        const stores = await openStores(settings, options);
        return { ...stores, events: held(stores.events), reads: held(stores.reads) };
      },
    },
  };
}
