import type { Outbound } from '#outbound/outbound.js';
import { askOnce, type ChatEndpoint } from './chat-completions.js';
import type { Passage } from './passage.js';
import { messagesOf, readReply } from './research-prompt.js';
import type { Question, Research, Researcher } from './researcher.port.js';
import { atMost } from './at-most.js';

const QUESTIONS_AT_ONCE = 4;
const QUESTIONS_PER_RUN = 1_000;
const TIMEOUT_MS = 30_000;
/** The waits before the second and the third attempt; there is no fourth. */
const PAUSES_MS = [1_000, 4_000];
const LONGEST_PAUSE_MS = 30_000;

export type ChatResearcherOptions = {
  readonly outbound: Outbound;
  /** Called with the reason why a question was not answered; the reason can be logged. */
  readonly onUnavailable: (why: string) => void;
  /** Waits; rejects if `signal` aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The timeout of one attempt, in milliseconds. */
  readonly timeoutMs?: number;
};

/** Asks a chat model (D-83). All runs of a process share one endpoint and its limit of four questions at once. */
export function chatResearcher(
  endpoint: ChatEndpoint,
  { outbound, onUnavailable, pause, timeoutMs = TIMEOUT_MS }: ChatResearcherOptions,
): Researcher {
  const limited = atMost(QUESTIONS_AT_ONCE);

  async function ask(
    question: Question,
    passages: readonly Passage[],
    signal: AbortSignal,
  ): Promise<Research> {
    const messages = messagesOf(question, passages);
    let failure: string | null = null;
    for (let attempt = 0; ; attempt += 1) {
      const reply = await askOnce(outbound, endpoint, messages, { signal, timeoutMs });
      const isLast = attempt >= PAUSES_MS.length;
      let waitMs = PAUSES_MS[attempt] ?? 0;
      if (reply.outcome === 'content') {
        const research = reply.content === null ? null : readReply(reply.content, question, passages);
        if (research !== null) return research;
      } else {
        failure = reply.why;
        if (reply.retryAfterMs <= LONGEST_PAUSE_MS) waitMs = Math.max(waitMs, reply.retryAfterMs);
      }
      if (isLast || (reply.outcome === 'failed' && !reply.mayRetry)) break;
      await pause(waitMs, signal);
    }
    // A bad answer comes from the model; the endpoint was available.
    if (failure === null) return { outcome: 'unanswered' };
    onUnavailable(`the research endpoint ${failure}`);
    return { outcome: 'unavailable' };
  }

  return {
    limits: { questionsAtOnce: QUESTIONS_AT_ONCE, questionsPerRun: QUESTIONS_PER_RUN },
    research: (question, passages, signal) => limited(() => ask(question, passages, signal)),
  };
}
