import type { NewEvent } from '#kernel/ports/event-store.port.js';
import type { Outside } from '#runtime/outside.js';
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

/** Whether events that are appended include one of this type. */
export const includesType = (events: unknown, type: string): events is readonly NewEvent[] =>
  Array.isArray(events) && (events as readonly NewEvent[]).some((event) => event.type === type);

/** Prices are looked up for the first time after an event of this type: nothing is paid yet. */
export const isPriceAfter = (type: string) => {
  let isWritten = false;
  return (method: string, parameters: readonly unknown[]): boolean => {
    if (method === 'append' && includesType(parameters[2], type)) isWritten = true;
    const [view] = parameters;
    const isPrice =
      typeof view === 'object' && view !== null && 'name' in view && view.name === 'list-prices';
    return isWritten && method === 'get' && isPrice;
  };
};
