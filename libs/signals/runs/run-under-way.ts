import { fromStored, type Credits } from '#kernel/values/credits.js';
import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import type { RunLaunched } from '#signals/domain/launches/launch.events.js';
import {
  progressOf,
  signalRun,
  type RunDecision,
  type RunProgress,
} from '#signals/domain/runs/signal-run.js';
import type { SignalRunWorkDocument } from '#projections/signals/signal-run-work/signal-run-work.projection.js';
import type { ProcessHost } from '#process-engine/process.js';

/** One run with everything that its steps need: its stream, its price and its command ids. */
export type Run = {
  readonly work: SignalRunWorkDocument;
  readonly launch: RunLaunched;
  readonly id: string;
  /** The run id that customers see: for a live pass, the first run of its day (LIV-05). */
  readonly shownAs: number;
  readonly unitPrice: Credits;
  readonly context: (step: string) => CommandContext;
  /** Decides on the run's stream, and returns the progress after it. */
  readonly send: (decision: RunDecision, step: string) => Promise<RunProgress>;
};

/** Each command id is derived from the run and the step, so that a repeated step is idempotent. */
export function runUnderWay(host: ProcessHost, work: SignalRunWorkDocument, processName: string): Run {
  const id = workspaceScoped(work.workspaceId, work.runId);
  const context = (step: string): CommandContext => ({
    commandId: `run:${work.runId}:${step}`,
    actor: { kind: 'process', id: processName },
    workspaceId: work.workspaceId,
    correlationId: work.correlationId,
    causationId: work.launchEventId,
  });
  return {
    work,
    launch: work.launch,
    id,
    shownAs: work.launch.runs.find(({ runId }) => runId === work.runId)?.shownAs ?? work.runId,
    unitPrice: fromStored(work.launch.unitPrice),
    context,
    async send(decision, step) {
      const handled = await host.commands.handle(signalRun, id, decision, {
        context: context(step),
        answer: progressOf,
        waitForReadModels: false,
      });
      return handled.answer;
    },
  };
}
