import { event } from '#kernel/events/event.js';
import { Type } from '#kernel/values/schema.js';
import { SubmittedAccount } from './top-accounts.events.js';

export const MOST_ACCOUNTS_OF_CHUNK = 500;
export const MOST_BYTES_OF_CHUNK = 256 * 1024;

export const submissionEvents = {
  /**
   * Accounts of a submission in the order in which they were sent; they count once AccountsSubmitted names the
   * submission.
   */
  SubmissionChunk: event(
    Type.Object({
      submissionId: Type.String({ minLength: 1 }),
      chunk: Type.Integer({ minimum: 0 }),
      accounts: Type.Array(SubmittedAccount, { minItems: 1, maxItems: MOST_ACCOUNTS_OF_CHUNK }),
    }),
  ),
};
