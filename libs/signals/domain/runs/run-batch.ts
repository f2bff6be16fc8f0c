import { decider, workspaceScoped, type Decision } from '#kernel/commands/decider.js';
import { batchEvents, type BatchEvents } from './signal-run.events.js';

type Found = BatchEvents['CandidatesFound'];

/** What a detector found for one batch of a run: fixed once, whatever it would find later. */
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

/** Nothing where the batch was fixed already. */
export const fixBatch =
  (found: Found): Decision<RunBatch, typeof batchEvents> =>
  (state) =>
    state.found === null ? [{ type: 'CandidatesFound', data: found }] : [];
