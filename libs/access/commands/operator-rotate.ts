import { Type } from '#kernel/values/schema.js';
import { operator, rotateToken } from '#access/domain/operators/operator.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { newOperatorToken, OperatorName } from './operator-inputs.js';

export const operatorRotate = operatorCommand({
  name: 'operator.rotate',
  summary: 'Give an operator a new token, shown once; the old token is refused from then on',
  input: Type.Object({ name: OperatorName }),
  output: Type.Object({ name: Type.String(), token: Type.String() }),
  async run(host, { name }, context) {
    const { token, tokenHash } = newOperatorToken(name);
    await host.commands.handle(operator, name, rotateToken(tokenHash), { context });
    return { name, token };
  },
});
