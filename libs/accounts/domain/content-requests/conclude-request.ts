import { STAGES_UNDER_WAY, type ContentRequestEvents } from './content-request.events.js';
import {
  endRequest,
  enterStage,
  fixOutcome,
  type ContentRequest,
  type ContentRequestDecision,
  type RequestOutcome,
} from './content-request.js';

type RequestEvent = ReturnType<ContentRequestDecision>[number];

/**
 * Ends a request without holds in one step: a completed one passes the remaining stages with the counts of the read
 * content. A request with a fixed outcome ends with that outcome.
 */
export const concludeRequest =
  (
    outcome: RequestOutcome,
    now: string,
    read?: Pick<ContentRequestEvents['ContentRequestCompleted'], 'people' | 'posts'>,
  ): ContentRequestDecision =>
  (state) => {
    const { created } = state;
    if (created === null) return [];
    const stages = outcome === 'completed' ? STAGES_UNDER_WAY[created.type] : [];
    const { people = 0, posts = 0 } = read ?? {};
    const steps = [
      ...stages.map((stage) => enterStage(stage, now)),
      fixOutcome(outcome, now),
      endRequest(now, created.type === 'top_account_content' ? { people, posts } : undefined),
    ];
    const events: RequestEvent[] = [];
    let current = state;
    for (const step of steps) {
      const made = step(current);
      events.push(...made);
      current = made.reduce(afterStage, current);
    }
    return events;
  };

function afterStage(state: ContentRequest, event: RequestEvent): ContentRequest {
  if (event.type !== 'StageEntered') return state;
  return { ...state, stage: event.data.stage, outcome: state.outcome ?? event.data.outcome ?? null };
}
