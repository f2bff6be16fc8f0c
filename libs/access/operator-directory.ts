import { evolve, streamName } from '#kernel/commands/decider.js';
import type { EventStore } from '#kernel/ports/event-store.port.js';
import { OPERATOR_NAME, type ActingOperator, type OperatorDirectory } from '#kernel/values/operators.js';
import { operator, operatorIsRevoked, type Operator } from './domain/operators/operator.js';

const NAME = new RegExp(OPERATOR_NAME);

/** Reads operators from the event store: a revocation takes effect with the next call in every process. */
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
 * The acting operator of a name that the command line asserts: an operator of this name has its role, any other name has
 * the role `operator`. Throws `operatorIsRevoked`.
 */
export async function assertedOperator(
  eventStore: Pick<EventStore, 'readStream'>,
  name: string,
): Promise<ActingOperator> {
  // The name of a system user may have characters that no name of an operator has.
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
