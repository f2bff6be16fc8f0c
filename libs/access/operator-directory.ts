import { evolve, streamName } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { OPERATOR_NAME, type ActingOperator, type OperatorDirectory } from '#kernel/values/operators.js';
import { operator, operatorIsRevoked, type Operator } from './domain/operators/operator.js';

const NAME = new RegExp(OPERATOR_NAME);

/** Looks operators up in the event store itself: a revocation holds for the next call, on every process. */
export function operatorDirectory(eventStore: Pick<EventStore, 'readStream'>): OperatorDirectory {
  return {
    async find(name, tokenHash) {
      const state = await read(eventStore, name);
      if (state.status !== 'active' || state.tokenHash !== tokenHash) return null;
      return { name, role: state.role };
    },
  };
}

/**
 * The operator of an unproved name at the command line: an operator of this name has its role, any other name may do
 * everything. Throws `operatorIsRevoked`.
 */
export async function assertedOperator(
  eventStore: Pick<EventStore, 'readStream'>,
  name: string,
): Promise<ActingOperator> {
  // A name of the machine may hold what no operator's name holds.
  const state = NAME.test(name) ? await read(eventStore, name) : operator.initial();
  if (state.status === 'revoked') throw operatorIsRevoked();
  return { name, role: state.status === 'active' ? state.role : 'operator', via: 'cli' };
}

async function read(eventStore: Pick<EventStore, 'readStream'>, name: string): Promise<Operator> {
  let state = operator.initial();
  for await (const batch of eventStore.readStream(streamName(operator, name))) {
    for (const event of batch) state = evolve(operator, state, event);
  }
  return state;
}
