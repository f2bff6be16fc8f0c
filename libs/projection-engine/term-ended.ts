import { LeaseLost } from '#kernel/ports/read-store.port.js';

/** A term ended before it did what was asked of it. The next leader can do it. */
export class TermEnded extends Error {
  constructor(groupName: string) {
    super(`the leader of ${groupName} stopped`);
    this.name = 'TermEnded';
  }
}

/** Whether work stopped because a term ended or its lease was lost: the next term can do it. */
export const isEndOfTerm = (error: unknown): boolean =>
  error instanceof TermEnded || error instanceof LeaseLost;
