import { shown, type AnswerPart } from '../answer.js';
import type { Visit } from '../visits.js';
import type { Action, ActionPreview, Given } from './action.js';
import { rowNamed } from './row-named.js';

const OPERATORS = '/console/operators';

const operatorOf = (visit: Visit, given: Given) =>
  rowNamed(visit, { command: 'operator.list', rows: 'operators', input: {} }, 'name', given['name'] ?? '');

/** Why the token of an operator cannot be changed; nothing if it can. */
function nothingToDoFor(operator: AnswerPart): Pick<ActionPreview, 'nothingToDo'> {
  if (shown(operator, 'name') === '-') return { nothingToDo: 'There is no operator with this name.' };
  return shown(operator, 'revoked_at') === '-' ? {} : { nothingToDo: 'This operator is already revoked.' };
}

export const addOperator: Action = {
  command: 'operator.add',
  title: 'Add an operator',
  cannotBeUndone: 'A name belongs to one operator permanently, also after the operator is revoked.',
  fields: [
    { name: 'name', label: 'Name', hint: 'Small letters, digits, dots and dashes' },
    {
      name: 'role',
      label: 'Role',
      choices: ['finance', 'operator'],
      hint: 'finance: read, export, close months, adjust; operator: everything',
    },
  ],
  from: () => OPERATORS,
  preview: async (_visit, given) => ({
    affects: '1 operator',
    changes: [{ name: given['name'] ?? '', now: 'unknown', then: `has the role ${given['role']}` }],
    button: `Add ${given['name']}`,
  }),
  written: (answer) => ({
    text: `${shown(answer, 'name')} is added with the role ${shown(answer, 'role')}.`,
    secret: { name: `Token of ${shown(answer, 'name')}`, value: shown(answer, 'token') },
  }),
};

const OPERATOR = { name: 'name', label: 'Operator', isSubject: true } as const;

export const revokeOperator: Action = {
  command: 'operator.revoke',
  title: 'Revoke an operator',
  cannotBeUndone: 'The token is refused from then on, and the name cannot be used again.',
  fields: [OPERATOR],
  from: () => OPERATORS,
  async preview(visit, given) {
    const operator = await operatorOf(visit, given);
    const isRevoked = shown(operator, 'revoked_at') !== '-';
    return {
      affects: '1 operator',
      changes: [
        {
          name: `${shown(operator, 'name')} (${shown(operator, 'role')})`,
          now: isRevoked ? 'revoked' : 'may sign in',
          then: 'revoked',
        },
      ],
      button: `Revoke ${shown(operator, 'name')}`,
      ...nothingToDoFor(operator),
    };
  },
  written: (answer) => ({ text: `${shown(answer, 'name')} is revoked.` }),
};

export const rotateOperator: Action = {
  command: 'operator.rotate',
  title: 'Give an operator a new token',
  cannotBeUndone: 'The present token is refused from then on.',
  fields: [OPERATOR],
  from: () => OPERATORS,
  async preview(visit, given) {
    const operator = await operatorOf(visit, given);
    return {
      affects: '1 token',
      changes: [{ name: `Token of ${shown(operator, 'name')}`, now: 'works', then: 'replaced' }],
      button: 'Make a new token',
      // Another new token would replace the one that was handed over.
      approved: shown(operator, 'rotated_at'),
      ...nothingToDoFor(operator),
    };
  },
  written: (answer) => ({
    text: `${shown(answer, 'name')} has a new token.`,
    secret: { name: `Token of ${shown(answer, 'name')}`, value: shown(answer, 'token') },
  }),
};
