import type { OperatorCommand, OperatorHost } from '../support/operator-command.js';
import { projectionsAbandon, projectionsCancel } from './projections-cancel.js';
import { projectionsRollback } from './projections-rebuild.js';
import { projectionsRetry } from './projections-retry.js';
import { projectionsStatus } from './projections-status.js';

const context = {
  commandId: 'names',
  actor: { kind: 'operator', id: 'operator' },
  workspaceId: null,
  correlationId: 'names',
} as const;

describe('OPS-19 the name of a read model', () => {
  const asked: string[] = [];
  beforeEach(() => (asked.length = 0));
  const projections = {
    names: ['credit-balances', 'movements'],
    cancel: async (name: string) => void asked.push(name),
    abandon: async (name: string) => void asked.push(name),
    rollback: async (name: string) => (asked.push(name), { outcome: 'live', generation: 1, previous: 2 }),
    retry: async (name: string) => (asked.push(name), { events: 0, stillParked: [], halted: null }),
    status: async (names: readonly string[]) => (asked.push(...names), names.map((name) => ({ name }))),
  };
  const host = { projections, isAlone: false } as unknown as OperatorHost;
  const commands: readonly (readonly [OperatorCommand, object])[] = [
    [projectionsCancel, { name: 'credit-balances' }],
    [projectionsAbandon, { name: 'credit-balances' }],
    [projectionsRollback, { rebuilt: [{ name: 'credit-balances' }] }],
    [projectionsRetry, { name: 'credit-balances' }],
    [projectionsStatus, { projections: [{ name: 'credit-balances' }] }],
  ];

  it.each(commands.map(([command, answer]) => [command.name, command, answer] as const))(
    'may be written with underscores in %s, which answers with its own name',
    async (_name, command, answer) => {
      expect(await command.run(host, { name: 'credit_balances' }, context, () => undefined)).toMatchObject(
        answer,
      );
      expect(asked).toEqual(['credit-balances']);
    },
  );
});
