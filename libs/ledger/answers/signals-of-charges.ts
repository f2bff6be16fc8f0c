import type { ReadModels } from '#kernel/ports/read-store.port.js';

/** Signals that charges paid for. The features that launch work implement this. */
export type SignalsOfCharges = {
  /** The current template keys by setup id; a setup without a template is left out (USE-17). */
  readonly templateKeysOf: (
    readModels: ReadModels,
    workspaceId: number,
    setupIds: readonly number[],
  ) => Promise<ReadonlyMap<number, string>>;
  /** The movement that paid for a signal of the workspace; null if no movement did. */
  readonly movementOfSignal: (
    readModels: ReadModels,
    workspaceId: number,
    signalId: number,
  ) => Promise<number | null>;
};
