import { Type } from '#kernel/values/schema.js';
import { operator, revokeOperator } from '#access/domain/operators/operator.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { OperatorName } from './operator-inputs.js';

export const operatorRevoke = operatorCommand({
  name: 'operator.revoke',
  summary: 'Revoke an operator: the token is refused from then on, the name cannot be used again',
  input: Type.Object({ name: OperatorName }),
  output: Type.Object({ name: Type.String(), revoked: Type.Literal(true) }),
  async run(host, { name }, context) {
    await host.commands.handle(operator, name, revokeOperator(), { context });
    return { name, revoked: true };
  },
});
