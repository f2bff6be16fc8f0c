import { exportCommands, operatorCommands, streamCommands } from '#runtime/operator-commands.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { endedCli, onData } from '#test/support/cli.js';
import { scene } from '#test/support/scene.js';
import { NDJSON, type Answer } from '#test/support/service.js';

const TOKEN = /^ops_maria_[0-9A-Za-z]{43}$/;

/** Commands that finance may call; every other command is for operators. */
const FOR_FINANCE = [
  'agent.list',
  'apikey.list',
  'audit.list',
  'caps.list',
  'credits.adjust',
  'credits.forecast',
  'credits.recurring.list',
  'endpoint.deliveries',
  'endpoint.list',
  'hold.list',
  'ledger.as_of',
  'ledger.close_month',
  'ledger.days',
  'ledger.export',
  'ledger.movement',
  'ledger.movements',
  'ledger.statement',
  'ledger.verify',
  'link.list',
  'monitoring.accounts',
  'monitoring.forecast',
  'monitoring.verify',
  'operator.list',
  'partner.list',
  'prices.list',
  'run.list',
  'run.show',
  'schedule.list',
  'search.find',
  'setup.list',
  'signal.list',
  'signal.show',
  'workspace.list',
  'workspace.show',
];

describe('CON-01 named operators over HTTP', () => {
  const service = scene();
  let maria: string;

  const ask = (token: string, command: string, input?: unknown): Promise<Answer> =>
    service.ops(command, input, { authorization: `Bearer ${token}` });
  /** Refused, and nothing was added. */
  async function refused(token: string, command: string, status: number, input?: unknown) {
    const { added, ...answer } = await service.recorded(() => ask(token, command, input));
    expect([command, answer.status, added]).toEqual([command, status, []]);
    return answer.body;
  }

  beforeAll(async () => {
    const added = await service.ops('operator.add', { name: 'maria', role: 'finance' });
    expect(added.body).toEqual({ name: 'maria', role: 'finance', token: expect.stringMatching(TOKEN) });
    maria = added.body.token;
  });

  it('stores the hash of a token, and the token nowhere', async () => {
    const stored: string[] = [];
    for await (const batch of service.service.host.eventStore.readStream('operator-maria'))
      for (const { data } of batch) stored.push(JSON.stringify(data));
    expect(stored.join()).toMatch(/"tokenHash":"[0-9a-f]{64}"/);
    expect(stored.join()).not.toContain(maria);
    expect((await service.ops('operator.list')).body).toEqual({
      page: 1,
      page_size: 25,
      page_count: 1,
      total: 1,
      operators: [
        {
          name: 'maria',
          role: 'finance',
          added_at: expect.any(String),
          added_by: 'operator',
          rotated_at: null,
          revoked_at: null,
        },
      ],
    });
  });

  it('lets finance call its commands, and answers 403 for every other command and adds nothing', async () => {
    const all = [...operatorCommands, ...streamCommands, ...exportCommands];
    const allowed = all.filter(({ name }) => FOR_FINANCE.includes(name));
    expect(allowed.map(({ name }) => name).sort()).toEqual(FOR_FINANCE);
    for (const { name } of operatorCommands) {
      if (FOR_FINANCE.includes(name)) {
        // the role no longer matters: the input is the fault
        const { status } = await ask(maria, name, { no_such_option: 1 });
        expect([name, status]).toEqual([name, 422]);
      } else {
        const body = await refused(maria, name, 403);
        expect(body.detail).toBe(`maria has the role finance, which does not allow ${name}.`);
      }
    }
    const ingest = await service.ops(
      'network.ingest',
      '{"kind":"company","ref":"c:acme","handle":"acme"}\n',
      {
        ...NDJSON,
        authorization: `Bearer ${maria}`,
      },
    );
    expect(ingest.status).toBe(403);
    expect((await service.ops('workspace.list')).status).toBe(200);
  });

  it('names the operator in the event, the trail, the statement, the CSV and the journal', async () => {
    const { id } = await service.workspace({ credits: 100 });
    const input = { workspace_id: id, credits: '-2', reason: 'a correction' };
    const { movement_id } = (await ask(maria, 'credits.adjust', input)).body;
    const trail = (await ask(maria, 'ledger.movement', { workspace_id: id, movement_id })).body;
    expect(trail.entries).toEqual([
      expect.objectContaining({ type: 'CreditsAdjusted', actor: { kind: 'operator', id: 'maria' } }),
    ]);

    const statement = async (more: object) =>
      (await ask(maria, 'ledger.statement', { workspace_id: id, ...more })).body;
    const plain = await statement({});
    const { rows, ...rest } = await statement({ with: 'actor' });
    expect(rows.map(({ actor }: { actor: unknown }) => actor)).toEqual([
      { kind: 'operator', id: 'operator' },
      { kind: 'operator', id: 'maria' },
    ]);
    const without = rows.map(({ actor: _, ...row }: { actor: unknown }) => row);
    expect(JSON.stringify({ ...rest, rows: without })).toBe(JSON.stringify({ ...rest, rows: plain.rows }));

    const exported = async (format: string, more: object): Promise<string> =>
      String((await ask(maria, 'ledger.export', { workspace_id: id, format, ...more })).body);
    const csv = (await exported('csv', { with: 'actor' })).split('\r\n');
    const bare = (await exported('csv', {})).split('\r\n');
    expect(csv[0]).toBe(`${bare[0]},actor,actor_via`);
    expect(csv.filter((line) => line.startsWith('adjustment,'))).toEqual([
      `${bare.find((line) => line.startsWith('adjustment,'))},operator/maria,`,
    ]);
    const journal = await exported('journal', { with: 'actor' });
    expect(journal).toContain('    ; actor:operator/maria\n');
    expect(journal.replace(/ {4}; actor:.*\n/g, '')).toBe(await exported('journal', {}));
    expect(await exported('jsonl', { with: 'actor' })).toBe(await exported('jsonl', {}));
  });

  it('shows a customer that an operator did it, without the name', async () => {
    const workspace = await service.workspace({ credits: 100 });
    const input = { workspace_id: workspace.id, credits: '-2', reason: 'a correction' };
    const { movement_id } = (await ask(maria, 'credits.adjust', input)).body;
    const { body } = await service.call(`GET /api/v3/credits/movements/${movement_id}`, undefined, {
      authorization: `Bearer ${workspace.apiKey}`,
    });
    expect(body.data.entries[0].actor).toEqual({ kind: 'operator', id: 'operator' });
  });

  it('refuses a name that is taken, malformed or that of the first operator, and an invalid role', async () => {
    const { token } = service;
    await refused(token, 'operator.add', 409, { name: 'maria', role: 'operator' });
    await refused(token, 'operator.add', 409, { name: 'operator', role: 'operator' });
    for (const name of ['Maria', '-x', 'x_y', '', 'a'.repeat(41)]) {
      const { errors } = await refused(token, 'operator.add', 422, { name, role: 'finance' });
      expect(Object.keys(errors)).toEqual(['name']);
    }
    const { errors } = await refused(token, 'operator.add', 422, { name: 'ben', role: 'admin' });
    expect(Object.keys(errors)).toEqual(['role']);
    await refused(token, 'operator.rotate', 404, { name: 'nobody' });
    await refused(token, 'operator.revoke', 404, { name: 'nobody' });
  });

  it('ends a token for the next call when it is rotated and when the operator is revoked', async () => {
    const { body } = await service.ops('operator.add', { name: 'ben', role: 'operator' });
    expect((await ask(body.token, 'workspace.list')).status).toBe(200);
    const rotated = (await service.ops('operator.rotate', { name: 'ben' })).body;
    expect([(await ask(body.token, 'workspace.list')).status, rotated.token === body.token]).toEqual([
      401,
      false,
    ]);
    expect((await ask(rotated.token, 'workspace.list')).status).toBe(200);
    // an operator of this role may do everything, including ending their own access
    expect((await ask(rotated.token, 'operator.revoke', { name: 'ben' })).body).toEqual({
      name: 'ben',
      revoked: true,
    });
    await refused(rotated.token, 'workspace.list', 401);
    await refused(service.token, 'operator.rotate', 409, { name: 'ben' });
    await refused(service.token, 'operator.add', 409, { name: 'ben', role: 'finance' });
    const again = await service.eventsOf(() => service.ops('operator.revoke', { name: 'ben' }));
    expect(again).toEqual([]);
  });

  it('does not accept the token of one operator under the name of another', async () => {
    await service.ops('operator.add', { name: 'eve', role: 'operator' });
    await refused(maria.replace('ops_maria_', 'ops_eve_'), 'workspace.list', 401);
    await refused(maria.replace('ops_maria_', 'ops_nobody_'), 'workspace.list', 401);
  });
});

describe('CON-01 named operators at the command line', () => {
  const folder = temporaryFolder('signal-ledger-operators');

  async function cli(...args: readonly string[]) {
    const { code, lines, errors } = await endedCli(args, onData(folder));
    return { code, answer: code === 0 ? JSON.parse(lines[0] ?? 'null') : null, errors };
  }

  it('takes the name of --as or of the system user, says that it is not proven, and checks roles', async () => {
    const { answer: created } = await cli('workspace', 'create', '--name', 'A', '--credits', '9', '--json');
    const id = String(created.workspace_id);
    const adjust = (...more: readonly string[]) =>
      cli('credits', 'adjust', '--workspace-id', id, '--credits', '-1', '--reason', 'r', '--json', ...more);
    expect((await adjust('--as', 'Ana Roy')).code).toBe(0);
    expect((await adjust()).code).toBe(0);
    const { answer } = await cli('ledger', 'statement', '--workspace-id', id, '--with', 'actor', '--json');
    expect(answer.rows.map(({ actor }: { actor: unknown }) => actor).slice(1)).toEqual([
      { kind: 'operator', id: 'Ana Roy', via: 'cli' },
      { kind: 'operator', id: expect.stringMatching(/./), via: 'cli' },
    ]);
    expect(answer.rows[2].actor.id).not.toBe('Ana Roy');

    expect((await cli('operator', 'add', '--name', 'fin', '--role', 'finance', '--json')).code).toBe(0);
    const asFinance = await cli('workspace', 'create', '--name', 'B', '--as', 'fin', '--json');
    expect([asFinance.code, asFinance.errors]).toEqual([
      1,
      'fin has the role finance, which does not allow workspace.create.\n',
    ]);
    expect((await adjust('--as', 'fin')).code).toBe(0);
    await cli('operator', 'revoke', '--name', 'fin', '--json');
    expect((await adjust('--as', 'fin')).code).toBe(1);
    const wrong = await adjust('--as', '=cmd');
    expect([wrong.code, wrong.errors]).toEqual([2, expect.stringMatching(/^--as takes a name/)]);
  });
});
