import { OPERATOR_ROLES } from '#kernel/values/operators.js';
import { OneOf, Type } from '#kernel/values/schema.js';
import { addOperator, operator } from '#access/domain/operators/operator.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { newOperatorToken, OperatorName } from './operator-inputs.js';

export const operatorAdd = operatorCommand({
  name: 'operator.add',
  summary: 'Add an operator with a token for the private listener; the token is shown once',
  input: Type.Object({
    name: OperatorName,
    role: described(
      'finance: read, export, close months, adjust; operator: everything',
      OneOf(...OPERATOR_ROLES),
    ),
  }),
  output: Type.Object({ name: Type.String(), role: OneOf(...OPERATOR_ROLES), token: Type.String() }),
  async run(host, { name, role }, context) {
    const { token, tokenHash } = newOperatorToken(name);
    const decision = addOperator({ name, role, tokenHash });
    await host.commands.handle(operator, name, decision, { context });
    return { name, role, token };
  },
});
