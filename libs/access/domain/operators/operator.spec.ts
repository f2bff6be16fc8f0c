import { given } from '#kernel/testing/scenario.js';
import {
  addOperator,
  operator,
  operatorIsRevoked,
  operatorNameTaken,
  revokeOperator,
  rotateToken,
  unknownOperator,
} from './operator.js';

const data = { name: 'maria.lopez', role: 'finance', tokenHash: 'ab'.repeat(32) } as const;
const added = { type: 'OperatorAdded', data } as const;
const revoked = { type: 'OperatorRevoked', data: { name: data.name } } as const;

describe('CON-01 an operator', () => {
  it('is added with a role and the hash of a token', () => {
    given(operator, []).when(addOperator(data)).then([added]);
  });

  it('keeps its name for ever, and cannot have the name of the holder of OPS_TOKEN', () => {
    given(operator, [added]).when(addOperator(data)).then(operatorNameTaken());
    given(operator, [added, revoked]).when(addOperator(data)).then(operatorNameTaken());
    given(operator, [])
      .when(addOperator({ ...data, name: 'operator' }))
      .then(operatorNameTaken());
  });

  it('gets another token, but not once revoked', () => {
    const tokenHash = 'cd'.repeat(32);
    given(operator, [added])
      .when(rotateToken(tokenHash))
      .then([{ type: 'OperatorTokenRotated', data: { name: data.name, tokenHash } }]);
    given(operator, [added, revoked]).when(rotateToken(tokenHash)).then(operatorIsRevoked());
    given(operator, []).when(rotateToken(tokenHash)).then(unknownOperator());
  });

  it('is revoked once', () => {
    given(operator, [added]).when(revokeOperator()).then([revoked]);
    given(operator, [added, revoked]).when(revokeOperator()).then([]);
    given(operator, []).when(revokeOperator()).then(unknownOperator());
  });
});
