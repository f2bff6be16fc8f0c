import { Type } from '#kernel/values/schema.js';
import { operatorCommand } from '../support/operator-command.js';
import { chosenProjections, orRefused, ProjectionName } from '../support/projection-host.js';

const Done = Type.Object({ name: Type.String(), outcome: Type.String() });

export const projectionsCancel = operatorCommand({
  name: 'projections.cancel',
  summary: 'Stop the rebuild or verification under way, wherever it runs; a rebuild can be gone on with',
  input: Type.Object({ name: ProjectionName }),
  output: Done,
  async run(host, { name }) {
    await chosenProjections(host, name);
    await orRefused(host.projections.cancel(name));
    return { name, outcome: 'asked to stop' };
  },
});

export const projectionsAbandon = operatorCommand({
  name: 'projections.abandon',
  summary: 'Remove what a stopped rebuild has built; the live read model stays as it is',
  input: Type.Object({ name: ProjectionName }),
  output: Done,
  async run(host, { name }) {
    await chosenProjections(host, name);
    await orRefused(host.projections.abandon(name));
    return { name, outcome: 'abandoned' };
  },
});
