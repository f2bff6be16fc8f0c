import { toJsonNumber } from '#kernel/values/credits.js';
import { Id, Type } from '#kernel/values/schema.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import type { Dispatch, DispatchCall, SentMessage, SentProblem } from '#http/dispatch.js';
import type { JsonSchema } from '#http/parameters.js';
import { exactCredits } from './launch-offer.js';
import { problemOutcome, type ToolOutcome } from './tool.js';

const RUN = 'GET /api/v2/workspace/signal-runs/:id';
const CHARGES = 'GET /api/v3/credits/movements';
const BALANCE = 'GET /api/v3/credits/balance';

const isLaunch = guardOf(Type.Array(Type.Object({ signal_request_id: Id })));
const isRun = guardOf(Type.Object({ signal_request_id: Id, credits_spent: Type.Number() }));
const isCharges = guardOf(Type.Object({ data: Type.Array(Type.Object({ id: Id })) }));
const isBalance = guardOf(Type.Object({ data: Type.Object({ balance: Type.Number() }) }));

/** The schema of `launchedRuns`. */
export const launchedRunsSchema = (dispatch: Dispatch): JsonSchema => ({
  type: 'object',
  properties: {
    runs: {
      type: 'array',
      items: dispatch.describe(RUN).answer ?? {},
      description: 'The runs of the launch, as get_run shows them.',
    },
    charged: {
      type: 'number',
      minimum: 0,
      description: 'What the launch was charged so far, in credits.',
    },
    remaining: { type: 'number', description: 'What the workspace can spend now, in credits.' },
    movement_id: {
      anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }],
      description: 'The newest charge of the launch; null while nothing was charged.',
    },
    replayed: {
      type: 'boolean',
      description: 'The launch was made by an earlier call with the same idempotency_key.',
    },
  },
  required: ['runs', 'charged', 'remaining', 'movement_id', 'replayed'],
  additionalProperties: false,
});

/** The answer for a launch: its runs after this many seconds at most, and their cost until then. */
export async function launchedRuns(
  dispatch: Dispatch,
  launched: SentMessage,
  call: DispatchCall,
  seconds: number,
): Promise<ToolOutcome> {
  if (launched.kind === 'problem') return problemOutcome(launched);
  if (!isLaunch(launched.data)) throw new Error('a launch answers something else than it declares');
  const ids = launched.data.map(({ signal_request_id: id }) => String(id));
  const runs = await Promise.all(
    ids.map((id) => dispatch.sendUntilOver(RUN, { params: { id } }, call, seconds)),
  );
  const charges = await Promise.all(
    ids.map((id) => dispatch.send(CHARGES, { query: { signal_run_id: id, limit: '1' } }, call)),
  );
  const balance = await dispatch.send(BALANCE, {}, call);
  for (const sent of [...runs, ...charges, balance])
    if (sent.kind === 'problem') return launchedAllTheSame(sent, ids);
  const shown = dataOf(runs).filter(isRun);
  const [left] = dataOf([balance]).filter(isBalance);
  if (shown.length < ids.length || left === undefined) throw new Error('a launch that cannot be shown');
  const movements = dataOf(charges)
    .filter(isCharges)
    .flatMap(({ data }) => data.map(({ id }) => id));
  return {
    kind: 'answer',
    data: {
      runs: shown,
      charged: toJsonNumber(shown.reduce((sum, run) => sum + exactCredits(run.credits_spent), 0n)),
      remaining: left.data.balance,
      movement_id: movements.length === 0 ? null : Math.max(...movements),
      replayed: launched.replayed,
    },
  };
}

/** The launch was made, although it cannot be shown. */
const launchedAllTheSame = (problem: SentProblem, ids: readonly string[]): ToolOutcome => {
  const detail = `${String(problem.document['detail'])} The runs were launched: the same call shows them later.`;
  const document = { ...problem.document, detail, signal_request_ids: ids.map(Number) };
  return problemOutcome({ ...problem, document });
};

const dataOf = (sent: readonly SentMessage[]): readonly unknown[] =>
  sent.flatMap((each) => (each.kind === 'answer' ? [each.data] : []));
