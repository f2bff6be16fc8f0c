import { decider, workspaceScoped, type Decision } from '#kernel/commands/decider.js';
import { batchEvents, type BatchEvents } from './signal-run.events.js';

type Found = BatchEvents['CandidatesFound'];

/** The findings of one batch of a run, fixed once. A later search might find others. */
export type RunBatch = { readonly found: Found | null };

export const runBatch = decider<RunBatch>()({
  category: 'batch',
  scope: 'workspace',
  vocabulary: batchEvents,
  strict: true,
  initial: () => ({ found: null }),
  on: { CandidatesFound: (_none, { data }) => ({ found: data }) },
  bytesOf: ({ data }) => JSON.stringify(data).length,
});

/** The id of its stream. */
export const batchId = (workspaceId: number, runId: number, batch: number): string =>
  workspaceScoped(workspaceId, `${runId}_${batch}`);

/** Idempotent: a fixed batch stays as it is. */
export const fixBatch =
  (found: Found): Decision<RunBatch, typeof batchEvents> =>
  (state) =>
    state.found === null ? [{ type: 'CandidatesFound', data: found }] : [];
