import type { WorkProgress } from '#kernel/ports/work-progress.js';
import { progressBar } from './progress-bar.js';

/** The progress of a phase, counted from its own beginning. */
type PhaseProgress = Omit<WorkProgress, 'note'> & { readonly phase: string };

/** Runs work on a whole store with a progress bar that starts again with each phase. `end` removes the bar earlier. */
export async function withLogBar<Result>(
  work: (onProgress: (progress: PhaseProgress) => void, end: () => void) => Promise<Result>,
): Promise<Result> {
  const bar = progressBar();
  let shown = '';
  try {
    return await work(({ phase, ...progress }) => {
      if (phase !== shown) bar.stop();
      shown = phase;
      bar.update({ ...progress, note: phase });
    }, bar.stop);
  } finally {
    bar.stop();
  }
}
