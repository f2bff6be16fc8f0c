/**
 * A lane limits the concurrent items of one kind of work in each worker. Lanes share no slots, so a full lane does not
 * delay another one. A workspace never uses all slots of a lane, so that other workspaces find a free slot.
 */
export const LANES = {
  /** Signal runs; an item takes minutes or hours. */
  runs: { slots: 8, ofOneWorkspace: 6 },
  /** Look-ups on the network; an item takes seconds. */
  lookups: { slots: 4, ofOneWorkspace: 3 },
  /** The pipelines of top accounts, one item per workspace; an item takes seconds or minutes. */
  pipelines: { slots: 3, ofOneWorkspace: 1 },
  /** Work that falls due by time and is one short decision. */
  timers: { slots: 8, ofOneWorkspace: 4 },
} as const satisfies Readonly<Record<string, { readonly slots: number; readonly ofOneWorkspace: number }>>;

export type Lane = keyof typeof LANES;
