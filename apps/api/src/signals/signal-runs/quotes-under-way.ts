import { Injectable } from '@nestjs/common';
import { RequestRefused } from '#http/problem.js';

const RETRY_AFTER_SECONDS = 1;

/** Workspaces that this process makes a quote for: one looks through much of the network (QUO-01). */
@Injectable()
export class QuotesUnderWay {
  private readonly workspaces = new Set<number>();

  /** Does the work unless other such work of the workspace is under way: that is refused with 429. */
  async alone<Result>(workspaceId: number, work: () => Promise<Result>): Promise<Result> {
    if (this.workspaces.has(workspaceId)) throw quoteUnderWay();
    this.workspaces.add(workspaceId);
    try {
      return await work();
    } finally {
      this.workspaces.delete(workspaceId);
    }
  }
}

const quoteUnderWay = (): RequestRefused =>
  new RequestRefused({
    status: 429,
    detail: 'Another quote of the workspace is being made; try again when it is answered.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
