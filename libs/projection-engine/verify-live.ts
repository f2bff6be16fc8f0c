import { LeaseLost } from '#kernel/ports/read-store.port.js';
import { catchUp } from './project-batch.js';
import { openProjectedView } from './projected-view.js';
import { progressReporter } from './rebuild-progress.js';
import { drop, dropStrays, type RebuilderOptions, type RebuildWork } from './rebuild-work.js';
import { compareWithShadow, type Verification } from './verify.js';

/**
 * Replays history into a shadow generation and compares the live one with it; the shadow is removed afterwards. Throws
 * the reason of a cancellation.
 */
export async function verifyLive(options: RebuilderOptions, work: RebuildWork): Promise<Verification> {
  const { events, reads, decode } = options;
  const { projection, lease, live, cancel, onProgress, pace } = work;
  await dropStrays(options, projection, live);
  const { all } = await reads.generations(projection);
  const number = Math.max(...all) + 1;
  const context = { events, reads, decode, fence: lease.fence };
  let isOurs = true;
  try {
    const shadow = await openProjectedView(reads, projection, number, options.cacheBounds);
    const report = await progressReporter(options, shadow, live, onProgress);
    await catchUp(context, [shadow], pace, cancel, () => report('building'));
    report('comparing');
    return await compareWithShadow(context, { view: projection, generation: live }, shadow, pace, cancel);
  } catch (error) {
    // Another process may use the number; the next verification removes what stays.
    if (error instanceof LeaseLost) isOurs = false;
    throw error;
  } finally {
    if (isOurs) await drop(options, projection, number);
  }
}
