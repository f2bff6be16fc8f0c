import type { ReadModels } from '#kernel/ports/read-store.port.js';

/** What those who launch tell of the signals that charges paid for. */
export type SignalsOfCharges = {
  /** The template keys of setups, by setup id, as they are now; a setup without a template is left out (USE-17). */
  readonly templateKeysOf: (
    readModels: ReadModels,
    workspaceId: number,
    setupIds: readonly number[],
  ) => Promise<ReadonlyMap<number, string>>;
  /** The movement that paid for a signal of the workspace; null where none did. */
  readonly movementOfSignal: (
    readModels: ReadModels,
    workspaceId: number,
    signalId: number,
  ) => Promise<number | null>;
};
