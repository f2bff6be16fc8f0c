import { Type } from '#kernel/values/schema.js';
import { operatorCommand } from '../support/operator-command.js';
import { chosenProjection, orRefused, ProjectionName } from '../support/projection-host.js';

const Done = Type.Object({ name: Type.String(), outcome: Type.String() });

export const projectionsCancel = operatorCommand({
  name: 'projections.cancel',
  summary:
    'Stop the running rebuild or verification in whichever process it runs; a stopped rebuild can be continued',
  input: Type.Object({ name: ProjectionName }),
  output: Done,
  async run(host, input) {
    const name = chosenProjection(host, input.name);
    await orRefused(host.projections.cancel(name));
    return { name, outcome: 'asked to stop' };
  },
});

export const projectionsAbandon = operatorCommand({
  name: 'projections.abandon',
  summary: 'Remove the unfinished generation of a stopped rebuild; the live read model does not change',
  input: Type.Object({ name: ProjectionName }),
  output: Done,
  async run(host, input) {
    const name = chosenProjection(host, input.name);
    await orRefused(host.projections.abandon(name));
    return { name, outcome: 'abandoned' };
  },
});
