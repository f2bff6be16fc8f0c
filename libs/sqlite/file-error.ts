import { StoreUnavailable } from '#kernel/ports/event-store.port.js';

/** What an error of the system at the file of a store means to its callers: the machine does not let us work on it now. */
export const fileError = (error: unknown, path: string, done: 'read' | 'written'): unknown =>
  error instanceof Error
    ? new StoreUnavailable(`${path} cannot be ${done} (${error.message})`, 'nothing-written', {
        cause: error,
      })
    : error;
