import { Type } from '#kernel/values/schema.js';
import { operatorCommand } from '../support/operator-command.js';

export const workDrain = operatorCommand({
  name: 'work.drain',
  summary: 'Wait until no due background work is left',
  input: Type.Object({}),
  output: Type.Object({ processed: Type.Integer() }),
  run: (host) => host.work.drain(),
});
