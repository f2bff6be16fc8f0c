import { decider, type Decision } from '#kernel/commands/decider.js';
import { FIRST_OPERATOR } from '#kernel/values/operators.js';
import { refusal } from '#kernel/values/refusal.js';
import { operatorEvents, type OperatorEvents } from './operator.events.js';

export type Operator =
  | { readonly status: 'unknown' }
  | (OperatorEvents['OperatorAdded'] & { readonly status: 'active' | 'revoked' });

/** An operator; stream `operator-<name>`. */
export const operator = decider<Operator>()({
  category: 'operator',
  scope: 'global',
  strict: true,
  vocabulary: operatorEvents,
  initial: () => ({ status: 'unknown' }),
  on: {
    OperatorAdded: (_, { data }) => ({ ...data, status: 'active' }),
    OperatorTokenRotated: (state, { data: { tokenHash } }) =>
      state.status === 'unknown' ? state : { ...state, tokenHash },
    OperatorRevoked: (state) => (state.status === 'unknown' ? state : { ...state, status: 'revoked' }),
  },
});

export const unknownOperator = refusal({
  code: 'unknown-operator',
  kind: 'missing',
  detail: 'There is no operator of this name.',
});

export const operatorNameTaken = refusal({
  code: 'operator-name-taken',
  kind: 'conflicting',
  detail:
    'The name is taken. A name belongs to one operator permanently, also after the operator was revoked.',
});

export const operatorIsRevoked = refusal({
  code: 'operator-is-revoked',
  kind: 'conflicting',
  detail: 'The operator was revoked. Add an operator of another name.',
});

type OperatorDecision = Decision<Operator, typeof operatorEvents>;

/** Entries of every ledger name operators, so no name is given a second time. */
export const addOperator =
  (added: OperatorEvents['OperatorAdded']): OperatorDecision =>
  (state) => {
    if (state.status !== 'unknown' || added.name === FIRST_OPERATOR.name) throw operatorNameTaken();
    return [{ type: 'OperatorAdded', data: added }];
  };

export const rotateToken =
  (tokenHash: string): OperatorDecision =>
  (state) => {
    if (state.status === 'unknown') throw unknownOperator();
    if (state.status === 'revoked') throw operatorIsRevoked();
    return [{ type: 'OperatorTokenRotated', data: { name: state.name, tokenHash } }];
  };

export const revokeOperator = (): OperatorDecision => (state) => {
  if (state.status === 'unknown') throw unknownOperator();
  return state.status === 'revoked' ? [] : [{ type: 'OperatorRevoked', data: { name: state.name } }];
};
