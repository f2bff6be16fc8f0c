import { decider, type Decision } from '#kernel/commands/decider.js';
import { submissionEvents } from './submission.events.js';
import type { SubmittedAccount } from './top-accounts.events.js';

/** The accounts of one request that are written so far; grows in place with the fold. */
export type Submission = { chunks: number; readonly accounts: SubmittedAccount[] };

const BYTES_PER_ACCOUNT = 512;

export const submission = decider<Submission>()({
  category: 'submission',
  scope: 'workspace',
  vocabulary: submissionEvents,
  initial: () => ({ chunks: 0, accounts: [] }),
  on: {
    SubmissionChunk: (state, { data }) => {
      state.chunks += 1;
      state.accounts.push(...data.accounts);
      return state;
    },
  },
  bytesOf: ({ data: { accounts } }) => (Array.isArray(accounts) ? accounts.length * BYTES_PER_ACCOUNT : 256),
});

/** Writes one chunk after the earlier ones. Idempotent. */
export const writeChunk =
  (input: {
    readonly submissionId: string;
    readonly chunk: number;
    readonly accounts: readonly SubmittedAccount[];
  }): Decision<Submission, typeof submissionEvents> =>
  (state) => {
    if (input.chunk > state.chunks)
      throw new Error(`${input.submissionId}: chunk ${state.chunks} is missing`);
    return input.chunk < state.chunks ? [] : [{ type: 'SubmissionChunk', data: input }];
  };
