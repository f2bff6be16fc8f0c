import { rulesOf } from '#kernel/testing/scenario.js';
import {
  addOperator,
  operator,
  operatorIsRevoked,
  operatorNameTaken,
  revokeOperator,
  rotateToken,
  unknownOperator,
} from './operator.js';

const deciding = rulesOf(operator);
const data = { name: 'maria.lopez', role: 'finance', tokenHash: 'ab'.repeat(32) } as const;
const added = { type: 'OperatorAdded', data } as const;
const revoked = { type: 'OperatorRevoked', data: { name: data.name } } as const;

describe('CON-01 an operator', () => {
  it('is added with a role and the hash of a token', () => {
    deciding([], addOperator(data)).then([added]);
  });

  it('keeps its name for ever, and cannot have the name of the holder of OPS_TOKEN', () => {
    deciding([added], addOperator(data)).then(operatorNameTaken());
    deciding([added, revoked], addOperator(data)).then(operatorNameTaken());
    deciding([], addOperator({ ...data, name: 'operator' })).then(operatorNameTaken());
  });

  it('gets another token, but not once revoked', () => {
    const tokenHash = 'cd'.repeat(32);
    deciding([added], rotateToken(tokenHash)).then([
      { type: 'OperatorTokenRotated', data: { name: data.name, tokenHash } },
    ]);
    deciding([added, revoked], rotateToken(tokenHash)).then(operatorIsRevoked());
    deciding([], rotateToken(tokenHash)).then(unknownOperator());
  });

  it('is revoked once', () => {
    deciding([added], revokeOperator()).then([revoked]);
    deciding([added, revoked], revokeOperator()).then([]);
    deciding([], revokeOperator()).then(unknownOperator());
  });
});
