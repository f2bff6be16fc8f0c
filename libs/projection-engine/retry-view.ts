import type { CatchingUp } from './catching-up.js';
import { drainStep } from './drain.js';
import type { Inbox } from './inbox.js';
import type { ProjectorContext } from './project-batch.js';
import type { ProjectedView } from './projected-view.js';
import type { RetryOutcome } from './retry-request.js';

/** Retries the events that a view could not fold: restarts a halted view, and drains parked workspaces (one or all). */
export async function retryView(
  {
    context,
    box,
    catching,
  }: {
    readonly context: ProjectorContext;
    readonly box: Inbox;
    readonly catching: CatchingUp;
  },
  view: ProjectedView,
  workspaceId: string | null,
): Promise<RetryOutcome> {
  // A halted view that still catches up together with others is restarted when they have caught up.
  await catching.endOf(view);
  await box.post(async () => {
    if (view.halt !== null && !catching.has(view)) catching.start([view]);
  });
  await catching.endOf(view);
  let drained = 0;
  const stillParked: { readonly workspaceId: string; readonly reason: string }[] = [];
  const workspaces = workspaceId === null ? [...view.parked.keys()] : [workspaceId];
  for (const parkedWorkspace of workspaces) {
    if (!view.parked.has(parkedWorkspace)) continue;
    for (let left = 'more'; left === 'more';) {
      const step = await box.post(() => drainStep(context, view, parkedWorkspace));
      drained += step.events;
      left = step.left;
    }
    const reason = view.parked.get(parkedWorkspace)?.reason;
    if (reason !== undefined) stillParked.push({ workspaceId: parkedWorkspace, reason });
  }
  return { events: drained, stillParked, halted: view.halt?.reason ?? null };
}
