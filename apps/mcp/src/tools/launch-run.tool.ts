import type { Faults } from '#kernel/values/faults.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { Dispatch } from '#http/dispatch.js';
import { IDEMPOTENCY_KEY, requestHashOf, VISIBLE } from '#http/idempotency.js';
import type { JsonSchema } from '#http/parameters.js';
import { invalidRequest, keyReadsOnly, RequestRefused } from '#http/problem.js';
import type { Confirmations } from '../confirmations.js';
import { offerLaunch } from './launch-offer.js';
import { launchedRuns, launchedRunsSchema } from './launched-runs.js';
import { withNames } from './message-tool.js';
import { inputOf, outputOf, problemOutcome, type ToolCall, type ToolOf, type ToolOutcome } from './tool.js';
import { waitSeconds, WAIT_SECONDS } from './wait-seconds.js';

const LAUNCH = 'POST /api/v2/workspace/signal-runs';

const NAME = 'launch_run';
/** Arguments with another name in the API. */
const CALLED = { idempotency_key: IDEMPOTENCY_KEY };

const KEY: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  pattern: VISIBLE.source,
  description:
    'A new unique text for each intended launch, e.g. a UUID: a call with the same key and the same ' +
    'arguments within 24 hours gets the first answer, also if it was a refusal, and launches nothing.',
};

type LaunchRunParts = { readonly dispatch: Dispatch; readonly confirmations: Confirmations };

/**
 * Launches the runs of a setup or agent. If the client can ask a person, it does so first, with the numbers of a
 * quote; the launch then uses that quote, whose nonce the ledger accepts once.
 */
export const launchRun: ToolOf<LaunchRunParts> = ({ dispatch, confirmations }) => ({
  name: NAME,
  title: 'Launch a run',
  description:
    'Launches the runs of a signal setup or agent, which find signals and spend credits. Exactly one of ' +
    '`signal_setup_id` and `agent_id` is needed. Call quote_run first, and set `max_credits` to what may be spent: all ' +
    'runs of the launch together never spend more. The same `idempotency_key` launches once, however often it is ' +
    'called. If the client supports it, a person is asked first. The answer has what was `charged` so far, what is ' +
    '`remaining`, and the newest `movement_id`; get_run follows a run.',
  price: 'per signal',
  // Spent credits are not returned, and a research question is sent to an endpoint configured by the operator.
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: inputOf(
    { ...dispatch.describe(LAUNCH).properties, idempotency_key: KEY, wait_seconds: WAIT_SECONDS },
    ['max_credits', 'idempotency_key'],
  ),
  output: outputOf(launchedRunsSchema(dispatch)),
  carryOut: async (given, call) => {
    if (call.caller.isReadOnly === true) throw keyReadsOnly();
    const { wait_seconds, ...asked } = given;
    const seconds = waitSeconds(wait_seconds);
    const { idempotency_key: _key, ...body } = asked;
    const once = {
      key: requireArguments(asked),
      requestHash: requestHashOf('POST', `${call.url}/${NAME}`, asked),
    };
    let sent = await dispatch.repeated(call, once);
    if (sent === null) {
      const agreed = await agreement({ dispatch, confirmations }, asked, body, call);
      if ('kind' in agreed) return agreed;
      const quote = agreed.quoteId === null ? {} : { quote_id: agreed.quoteId };
      sent = await dispatch.sendOnce(LAUNCH, { body: { ...body, ...quote } }, call, once);
    }
    return launchedRuns(dispatch, withNames(sent, given, CALLED), call, seconds);
  },
});

/** The quote that a person confirmed, null if the client cannot ask a person; or the answer to send instead. */
async function agreement(
  { dispatch, confirmations }: LaunchRunParts,
  asked: JsonObject,
  body: JsonObject,
  call: ToolCall,
): Promise<{ readonly quoteId: string | null } | ToolOutcome> {
  const { answered, canAsk, caller } = call;
  const terms = { tool: NAME, caller, arguments: asked };
  if (answered !== null) {
    const quoteId = confirmations.open(terms, answered.state);
    if (answered.answer === 'yes') return { quoteId };
    if (answered.answer === 'no') throw declined();
  }
  if (!canAsk) return { quoteId: null };
  const offered = await offerLaunch(dispatch, body, call);
  if (offered.kind === 'problem') return problemOutcome(offered);
  const { message, yes, quoteId } = offered;
  return { kind: 'question', message, yes, state: confirmations.seal(terms, quoteId) };
}

/** The idempotency key. Throws `RequestRefused` with the missing or invalid arguments. */
function requireArguments({ max_credits: limit, idempotency_key: key }: JsonObject): string {
  const faults: Faults = new Map();
  if (limit === undefined) faults.set('max_credits', ['is required']);
  if (key === undefined) faults.set('idempotency_key', ['is required']);
  else if (typeof key !== 'string' || !VISIBLE.test(key))
    faults.set('idempotency_key', ['must be 1 to 255 visible characters']);
  if (typeof key === 'string' && faults.size === 0) return key;
  throw invalidRequest('body', 422, faults, 'The arguments are not valid.');
}

const declined = (): RequestRefused =>
  new RequestRefused({
    status: 403,
    detail: 'The person who was asked did not agree: nothing was launched and nothing was charged.',
  });
