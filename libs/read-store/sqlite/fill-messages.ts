import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { LeaseLost, type Fence, type Generation } from '#kernel/ports/read-store.port.js';
import type { PreparedWrite } from './projection-writes.js';

/** How a thread uses the machine. */
export type FillManner = {
  readonly cacheKib: number;
  /** How long the file is held for indexes in total before other writers get a pause. */
  readonly heldMs: number;
};

/** The data that a thread needs to fill generations; a view without its folds. */
export type FillWork = FillManner & {
  readonly path: string;
  readonly generations: readonly Generation[];
  readonly stopped: SharedArrayBuffer;
};

/** Generations are identified by their index in `FillWork`. */
export type PlacedWrite = Omit<PreparedWrite, 'generation'> & { readonly place: number };

export type FillOrder =
  { readonly writes: readonly PlacedWrite[]; readonly fence: Fence } | { readonly index: number } | 'END';

/** The answer to one order, in the order of the orders. */
export type FillReport = { readonly error: CarriedError | null };

/** An error in a message: of its class only the members that callers distinguish. */
export type CarriedError = {
  readonly kind: 'lease' | 'unavailable' | 'unusable' | 'other';
  /** Of a lost lease its name. */
  readonly message: string;
};

export function carried(error: unknown): CarriedError {
  if (error instanceof LeaseLost) return { kind: 'lease', message: error.lease };
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof StoreUnavailable) return { kind: 'unavailable', message };
  return { kind: error instanceof StoreUnusable ? 'unusable' : 'other', message };
}

export function arrived({ kind, message }: CarriedError): Error {
  switch (kind) {
    case 'lease':
      return new LeaseLost(message);
    case 'unavailable':
      return new StoreUnavailable(message);
    case 'unusable':
      return new StoreUnusable(message);
    case 'other':
      return new Error(message);
  }
}
