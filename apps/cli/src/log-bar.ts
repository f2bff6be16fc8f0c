import type { LogProgress } from '#runtime/backup-store.js';
import { progressBar } from './progress-bar.js';

/** Runs work on a whole log with a bar that begins anew with each phase. */
export async function withLogBar<Result>(
  work: (onProgress: (progress: LogProgress) => void) => Promise<Result>,
): Promise<Result> {
  const bar = progressBar();
  let shown = '';
  try {
    return await work(({ phase, ...progress }) => {
      if (phase !== shown) bar.stop();
      shown = phase;
      bar.update({ ...progress, note: phase });
    });
  } finally {
    bar.stop();
  }
}
