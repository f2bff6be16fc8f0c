import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { guardOf } from '#kernel/values/schema-guard.js';
import type { SentMessage } from '#http/dispatch.js';
import type { Route } from '#http/endpoint-spec.js';
import type { JsonSchema } from '#http/parameters.js';
import { askedOf, withNames } from './message-tool.js';
import { inputOf, outputOf, problemOutcome, READS, type ToolOf } from './tool.js';

const SIGNAL = 'GET /api/v3/signals/:id';
const CHARGE = 'GET /api/v3/credits/movements/:id';
const SETUP = 'GET /api/v3/signal-setups/:id';

const CALLED = { signal_id: 'id' };

/** The members of a signal that link to other objects. */
const isSignal = guardOf(
  Type.Object({
    data: Type.Object({ signal_setup_id: Nullable(Id), movement_id: Nullable(Id) }),
  }),
);
const isAnswer = guardOf(Type.Object({ data: Type.Object({}) }));

/** Why a signal matched, its price and its origin: the signal, its charge and its agent or setup. */
export const explainSignal: ToolOf = ({ dispatch }) => {
  const described = dispatch.describe(SIGNAL);
  const shownBy = (route: Route): JsonSchema => dataOf(dispatch.describe(route).answer);
  const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
    anyOf: [schema, { type: 'null' }],
    description,
  });
  return {
    name: 'explain_signal',
    title: 'Explain a signal',
    description:
      'Explains a signal: why it matched (`signal.details` and the parameters of `signal_setup`), what it cost and why it ' +
      'was charged (`charge`, with its ledger entries; null if it was free), and where it came from ' +
      '(`signal.source_url`, `signal.provenance`).',
    price: 'free',
    hints: READS,
    input: inputOf({ signal_id: { ...described.properties['id'], description: 'Id of the signal.' } }, [
      'signal_id',
    ]),
    output: outputOf({
      type: 'object',
      properties: {
        signal: shownBy(SIGNAL),
        charge: orNull(shownBy(CHARGE), 'The movement that paid for it; null if it was free.'),
        signal_setup: orNull(
          shownBy(SETUP),
          'The signal setup that found it; null if an agent found it or an operator added it.',
        ),
      },
      required: ['signal', 'charge', 'signal_setup'],
      additionalProperties: false,
    }),
    carryOut: async (given, call) => {
      const found = await dispatch.send(SIGNAL, askedOf(described, given, CALLED), call);
      if (found.kind === 'problem') return problemOutcome(withNames(found, given, CALLED));
      if (!isSignal(found.data)) throw new Error(`${SIGNAL} answers something else than it declares`);
      const { signal_setup_id: setupId, movement_id: movementId } = found.data.data;
      const fetchById = async (route: Route, id: number | null): Promise<SentMessage | null> =>
        id === null ? null : dispatch.send(route, { params: { id: String(id) } }, call);
      const [charge, setup] = await Promise.all([fetchById(CHARGE, movementId), fetchById(SETUP, setupId)]);
      for (const sent of [charge, setup])
        if (sent?.kind === 'problem' && sent.document['status'] !== 404) return problemOutcome(sent);
      return {
        kind: 'answer',
        data: { signal: found.data.data, charge: dataIn(charge), signal_setup: dataIn(setup) },
      };
    },
  };
};

/** The member `data` of a schema. */
function dataOf(schema: JsonSchema | null): JsonSchema {
  const properties = schema?.['properties'];
  const data: unknown =
    typeof properties === 'object' && properties !== null ? Reflect.get(properties, 'data') : null;
  if (typeof data !== 'object' || data === null) throw new Error('an answer without data');
  return { ...data };
}

const dataIn = (sent: SentMessage | null): object | null =>
  sent?.kind === 'answer' && isAnswer(sent.data) ? sent.data.data : null;
