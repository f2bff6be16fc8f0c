import {
  IN_FRANCE,
  employed,
  keywordAgent,
  observedCompany,
  observedPerson,
} from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import type { Answer } from '#test/support/service.js';
import { foundTopAccount } from '#test/support/top-accounts.js';

const MONTH = 5;

/** The credit headers of an answer; null for a missing header. */
const headersOf = ({ headers }: Answer): readonly [string | null, string | null] => [
  headers.get('credits-charged'),
  headers.get('credits-remaining'),
];

describe('Credits-Charged and Credits-Remaining', () => {
  const service = scene({
    at: '2026-06-01T10:00:00.000Z',
    network: [
      ...['acme', 'one', 'two', 'three'].map((handle) => observedCompany(handle)),
      observedPerson('ana', { ...IN_FRANCE, ...employed('acme', 'VP Sales') }),
    ],
  });

  async function workspaceOf(options: object = {}): Promise<SceneWorkspace & { readonly personaId: number }> {
    const workspace = await service.workspace(options);
    const personaId = await workspace.persona({ job_title: ['VP Sales'], location: ['France'] });
    return { ...workspace, personaId };
  }
  const monitor = (workspace: SceneWorkspace, path: string, signal_buckets: readonly string[] | null) =>
    workspace.call(`PUT /api/v3/${path}`, { signal_buckets });
  async function expectRemaining(workspace: SceneWorkspace, answer: Answer): Promise<void> {
    expect(Number(answer.headers.get('credits-remaining'))).toBe((await workspace.balance()).balance);
  }

  it('USE-24 a launch states the credits left, and not its charges', async () => {
    const workspace = await service.workspace({ credits: '100.25' });
    await service.drain();
    const agentId = await keywordAgent(workspace, 'nothing of the kind');
    expect(headersOf(await workspace.launch(agentId))).toEqual([null, '100.25']);
    expect(headersOf(await workspace.launch(999_999))).toEqual([null, null]);
  });

  it('USE-24 an enrichment states the charges of its launches, once', async () => {
    const workspace = await workspaceOf({ credits: 50 });
    const route = 'POST /api/v2/enrich-company-mapping';
    const key = { 'idempotency-key': 'enrich-once' };
    const first = await workspace.call(route, { domain: 'acme.com' }, key);
    expect([first.status, ...headersOf(first)]).toEqual([202, '1', '49']);
    expect(first.body.launches).toMatchObject([{ credits: 1 }]);
    const again = await workspace.call(route, { domain: 'acme.com' }, key);
    expect([again.headers.get('idempotency-replayed'), ...headersOf(again)]).toEqual(['true', '1', '49']);
    await service.drain();
    const other = await workspace.call(route, { domain: 'acme.com' });
    expect([other.status, headersOf(other)[0]]).toEqual([202, '0']);
    await expectRemaining(workspace, other);
  });

  it('USE-24 OP-27 monitoring a list states the charges of the months that begin with it, regardless of the process that pays them first', async () => {
    for (let round = 0; round < 5; round += 1) {
      const workspace = await workspaceOf({ credits: 100 });
      const { path } = await workspace.list('customer', ['one', 'two', 'three']);
      expect(headersOf(await monitor(workspace, path, ['essential']))).toEqual([
        String(3 * MONTH),
        String(100 - 3 * MONTH),
      ]);
      // The month is paid: ending it or beginning again costs nothing and refunds nothing.
      for (const buckets of [null, ['essential']]) {
        const answer = await monitor(workspace, path, buckets);
        expect(headersOf(answer)).toEqual(['0', String(100 - 3 * MONTH)]);
      }
      const renamed = await workspace.call(`PUT /api/v3/${path}`, { name: 'Renamed' });
      expect(headersOf(renamed)).toEqual(['0', String(100 - 3 * MONTH)]);
    }
  });

  it('USE-24 OP-27 charges as far as the balance allows, and states that amount', async () => {
    const workspace = await workspaceOf({ credits: 12 });
    const { path } = await workspace.list('customer', ['one', 'two', 'three']);
    expect(headersOf(await monitor(workspace, path, ['essential']))).toEqual(['10', '2']);
    const answer = await monitor(workspace, 'lists/company/999999', ['essential']);
    expect([answer.status, ...headersOf(answer)]).toEqual([404, null, null]);
  });

  it('USE-24 a member and a pick state the charge of their own month, and not that of another', async () => {
    const workspace = await workspaceOf({ credits: 100 });
    const { path, memberIds } = await workspace.list('customer', ['one', 'two']);
    const set = (id: unknown) =>
      workspace.call(`PATCH /api/v3/${path}/members/${String(id)}/signal-buckets`, {
        signal_buckets: ['essential'],
      });
    expect(headersOf(await set(memberIds[0]))).toEqual(['5', '95']);
    expect(headersOf(await set(memberIds[0]))).toEqual(['0', '95']);
    expect(headersOf(await set(memberIds[1]))).toEqual(['5', '90']);
    const { accountId } = await foundTopAccount(service, workspace, 'acme');
    await service.drain();
    const before = (await workspace.balance()).balance;
    const picked = await workspace.call('PUT /api/v3/top-account-list/accounts/signal-buckets', {
      account_ids: [accountId],
      persona_id: workspace.personaId,
      signal_buckets: ['essential'],
    });
    expect([picked.status, ...headersOf(picked)]).toEqual([200, '5', String(before - MONTH)]);
  });

  it('USE-24 OP-25 an exempt workspace is charged nothing, and a partner’s payment does not change the credits left', async () => {
    const exempt = await workspaceOf({ billing: 'exempt', credits: undefined });
    const ofExempt = await exempt.list('customer', ['one']);
    expect(headersOf(await monitor(exempt, ofExempt.path, ['essential']))).toEqual(['0', '0']);
    const { partner_id } = (await service.ops('partner.create', { name: 'Partner' })).body;
    const paid = await workspaceOf({ billing: 'partner', partner_id, credits: undefined });
    const ofPaid = await paid.list('customer', ['one']);
    expect(headersOf(await monitor(paid, ofPaid.path, ['essential']))).toEqual(['5', '0']);
  });

  it('USE-24 OPS-21 the commands of the ledger state the held credits, none for a repetition, and the credits left', async () => {
    const workspace = await service.workspace({ credits: 10 });
    const workspace_id = workspace.id;
    const hold = { workspace_id, key: 'elsewhere', credits: '2.5', product: 'testing' };
    for (const [command, input, expected] of [
      ['credits.hold', hold, ['2.5', '7.5']],
      ['credits.hold', hold, ['0', '7.5']],
      ['credits.capture', { workspace_id, key: 'elsewhere' }, ['0', '7.5']],
      ['credits.hold', { ...hold, key: 'other' }, ['2.5', '5']],
      ['credits.release', { workspace_id, key: 'other' }, ['0', '7.5']],
      ['credits.grant', { workspace_id, credits: 2, reason: 'test' }, ['0', '9.5']],
      ['credits.withdraw', { workspace_id, credits: 1, reason: 'test' }, ['0', '8.5']],
      ['credits.adjust', { workspace_id, credits: '-0.5', reason: 'test' }, ['0', '8']],
    ] as const) {
      const answer = await service.ops(command, input);
      expect([command, answer.status, headersOf(answer)]).toEqual([command, 200, expected]);
    }
    const refused = await service.ops('credits.hold', { ...hold, key: 'too much', credits: 100 });
    expect([refused.status, ...headersOf(refused)]).toEqual([402, null, null]);
    const exempt = await service.workspace({ billing: 'exempt', credits: undefined });
    expect(headersOf(await service.ops('credits.hold', { ...hold, workspace_id: exempt.id }))).toEqual([
      '0',
      '0',
    ]);
    expect(headersOf(await service.ops('ledger.as_of', { workspace_id }))).toEqual([null, null]);
  });

  it('USE-24 does not include months of other accounts that are paid in the same request', async () => {
    // No worker pays during the requests.
    await service.service.host.runner.stop();
    const workspace = await workspaceOf({ credits: 3 });
    const poor = await workspace.list('customer', ['one', 'two']);
    expect(headersOf(await monitor(workspace, poor.path, ['essential']))).toEqual(['0', '3']);
    await workspace.command('credits.grant', { credits: 100, reason: 'top-up' });
    const later = await workspace.list('customer', ['three']);
    const answer = await monitor(workspace, later.path, ['essential']);
    expect(headersOf(answer)).toEqual([String(MONTH), String(103 - 3 * MONTH)]);
  });
});
