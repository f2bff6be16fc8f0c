/**
 * Work of one kind shares slots in each worker, and lanes share none: what fills one holds up no other. A workspace
 * never has all of a lane, so that whoever comes next finds a slot.
 */
export const LANES = {
  /** Signal runs: minutes, or hours. */
  runs: { slots: 8, ofOneWorkspace: 6 },
  /** What is looked up on the network: seconds. */
  lookups: { slots: 4, ofOneWorkspace: 3 },
  /** The pipelines of top accounts, a workspace at a time: seconds, or minutes. */
  pipelines: { slots: 3, ofOneWorkspace: 1 },
  /** What falls due by the clock, and is decided and written at once. */
  timers: { slots: 8, ofOneWorkspace: 4 },
} as const satisfies Readonly<Record<string, { readonly slots: number; readonly ofOneWorkspace: number }>>;

export type Lane = keyof typeof LANES;
