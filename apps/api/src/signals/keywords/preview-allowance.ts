import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/ports/clock.js';
import { RequestRefused } from '#http/problem.js';
import { CLOCK } from '../../ports.js';

/** How many previews begin in a minute and in a day, in UTC. */
class Window {
  private begin = 0;
  private made = new Map<number, number>();

  constructor(
    readonly name: 'minute' | 'day',
    readonly lengthMs: number,
    readonly most: number,
  ) {}

  /** Seconds until the workspace has a preview again; null: it has one now. */
  retryAfter(workspaceId: number, now: number): number | null {
    const begin = now - (now % this.lengthMs);
    // What was counted in another window is of no use: no more is kept than the workspaces of one.
    if (begin !== this.begin) this.made = new Map();
    this.begin = begin;
    const isFull = (this.made.get(workspaceId) ?? 0) >= this.most;
    return isFull ? Math.ceil((begin + this.lengthMs - now) / 1_000) : null;
  }

  count(workspaceId: number): void {
    this.made.set(workspaceId, (this.made.get(workspaceId) ?? 0) + 1);
  }
}

/** How many previews this process makes for a workspace (QUO-03). */
@Injectable()
export class PreviewAllowance {
  /** The longest wait comes first. */
  private readonly windows = [new Window('day', 86_400_000, 500), new Window('minute', 60_000, 60)];

  constructor(@Inject(CLOCK) private readonly clock: Clock) {}

  /** Counts a preview, or refuses it with 429: what is refused does not count. */
  take(workspaceId: number): void {
    const now = this.clock.now().getTime();
    for (const window of this.windows) {
      const retryAfter = window.retryAfter(workspaceId, now);
      if (retryAfter !== null) throw usedUp(window, retryAfter);
    }
    for (const window of this.windows) window.count(workspaceId);
  }
}

const usedUp = ({ name, most }: Window, retryAfter: number): Error =>
  new RequestRefused({
    status: 429,
    detail: `A workspace has ${most} previews a ${name}: try again in ${retryAfter} s.`,
    headers: { 'Retry-After': String(retryAfter) },
  });
