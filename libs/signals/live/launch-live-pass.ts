import { processContext } from '#kernel/commands/process-context.js';
import { firstAbort } from '#kernel/commands/first-abort.js';
import type { CommandContext } from '#kernel/commands/decider.js';
import { Refusal } from '#kernel/values/refusal.js';
import type { ProcessHost } from '#process-engine/process.js';
import { earlierSubjects } from '#signals/detection/earlier-launches.js';
import { offlineResearcher } from '#signals/detection/research/offline-researcher.js';
import { alreadyRunning, mustWait } from '#signals/domain/launches/launches.js';
import { unlaunched } from '#signals/domain/launches/prepare-launch.js';
import { candidatePages } from '#signals/launching/candidate-pages.js';
import {
  launchOfItself,
  prepareLaunch,
  readyToLaunch,
  type LaunchRequest,
} from '#signals/launching/launch.js';
import type { LaunchSource } from '#signals/launching/launch-source.js';
import { launchSource } from '#signals/launching/launch-sources.js';
import { lookbackOf } from '#signals/launching/lookback.js';
import { withoutDisabledCompanies } from '#signals/runs/without-disabled-companies.js';
import { questionKey, type StandingQuestion } from './standing-questions.js';

export const LIVE_DETECTION = 'live-detection';

/** The maximum time for one question; the daily pass finds the rest. */
const MOST_MS = 2_000;

/**
 * Launches a live pass of an agent or setup if it would record something: findings of its daily pass with a date
 * later than `afterMs`, or in the rest of a live pass that a launch has stopped; `afterMs` null: only in the rest. It
 * records nothing, not even a refusal, if nothing is found, if the launch would be refused, or if it must wait
 * (LIV-03). `busy`: it must wait.
 */
export async function launchLivePass(
  host: ProcessHost,
  question: StandingQuestion,
  afterMs: number | null,
  signal: AbortSignal,
): Promise<'made' | 'nothing' | 'busy'> {
  const { workspaceId, source: named } = question;
  const source = launchSource(named.kind);
  const key = { workspaceId, id: named.id };
  const { enabled, launches } = (await source.look(host.commands, key)).answer;
  if (!enabled) return 'nothing';
  if (mustWait(launches, host.clock.now())) return 'busy';
  const [after] = [
    ...(afterMs === null ? [] : [new Date(afterMs).toISOString()]),
    ...(launches.live.restAfter === null ? [] : [launches.live.restAfter]),
  ].sort();
  if (after === undefined) return 'nothing';
  const live = { after };
  const request: LaunchRequest = { ...key, ...launchOfItself, trigger: 'monitoring' };
  try {
    if (!(await findsSomething(host, source, request, live, signal))) return 'nothing';
    const context = contextOf(question, host.clock.now());
    const launch = await prepareLaunch(host, source, request, context);
    const runs = await source.livePass(host.commands, key, { ...launch, live }, context);
    return runs.length > 0 ? 'made' : 'busy';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // A launch was made during the search.
    return error.declaration.code === alreadyRunning.code ? 'busy' : 'nothing';
  }
}

async function findsSomething(
  host: ProcessHost,
  source: LaunchSource,
  request: LaunchRequest,
  live: { readonly after: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { workspaceId, trigger } = request;
  const { ready, now, launches, monitoredSince } = await readyToLaunch(host, source, request);
  const lookbackDays = lookbackOf({ trigger, now, launches, monitoredSince });
  const launch = { ...unlaunched(ready, { trigger, now: now.toISOString(), lookbackDays }), live };
  const known = async (subjects: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set(await earlierSubjects(host, { workspaceId, source: ready.source }, subjects));
  const ending = firstAbort(signal, AbortSignal.timeout(MOST_MS));
  const pages = candidatePages(
    { ...host, researcher: offlineResearcher },
    { workspaceId, launch, directions: ready.directions, known, signal: ending.signal },
  );
  try {
    for await (const { matches } of pages) {
      // The run leaves out the same matches.
      if ((await withoutDisabledCompanies(host, workspaceId, matches)).length > 0) return true;
      if (ending.signal.aborted) return false;
    }
    return false;
  } finally {
    ending.end();
  }
}

const contextOf = (question: StandingQuestion, now: Date): CommandContext =>
  processContext(LIVE_DETECTION, question.workspaceId, `live:${questionKey(question)}:${now.toISOString()}`);
