import { Injectable } from '@nestjs/common';
import { RequestRefused } from '#http/problem.js';
import { WorkspaceLocks } from '#signals/quoting/workspace-locks.js';

const RETRY_AFTER_SECONDS = 1;

/**
 * Only one quote at a time is made for a workspace, across all processes, because a quote may read much of the
 * network (QUO-01).
 */
@Injectable()
export class QuotesUnderWay {
  constructor(private readonly locks: WorkspaceLocks) {}

  /** Does the work; refused with 429 if another quote of the workspace is being made. */
  async alone<Result>(workspaceId: number, work: () => Promise<Result>): Promise<Result> {
    const done = await this.locks.alone(`quote:${workspaceId}`, work);
    if (done === null) throw quoteUnderWay();
    return done.result;
  }
}

const quoteUnderWay = (): RequestRefused =>
  new RequestRefused({
    status: 429,
    detail: 'Another quote of the workspace is being made; try again when it is answered.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
