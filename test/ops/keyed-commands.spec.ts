import { apiKeyIssue } from '#access/commands/api-key-issue.js';
import { workspaceCreate } from '#runtime/commands/workspace-create.js';
import { runCommand } from '#ops/support/run-command.js';
import { moment } from '#test/support/moment.js';
import { testCall } from '#test/support/test-call.js';
import { issueApiKey } from '#access/commands/new-api-key.js';
import { apiKey, apiKeyStreamId, revoke } from '#access/domain/api-keys/api-key.js';
import { hashApiKey } from '#kernel/values/api-key.js';
import { claimCall, claimId, keyedCall } from '#keyed-requests/operator-claim.js';
import { startTestService, type Answer, type TestService } from '#test/support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const works = async (apiKey: string): Promise<number> =>
  (await service.call('GET /api/v3/credits/balance', undefined, { authorization: `Bearer ${apiKey}` }))
    .status;

/** The answers of four calls at the same time and of one after them, and the events that they wrote. */
async function repeated(command: string, input: object) {
  const answers: Answer[] = [];
  const added = await service.settledEventsOf(async () => {
    answers.push(...(await Promise.all([1, 2, 3, 4].map(() => service.ops(command, input)))));
    answers.push(await service.ops(command, input));
  });
  return { answers, added: added.filter((type) => !type.startsWith('Request')) };
}

const KILLED = {
  commandId: 'killed-call',
  actor: { kind: 'operator', id: 'operator' },
  workspaceId: null,
  correlationId: 'killed-call',
} as const;

describe('operator commands with a key of the call', () => {
  it('OPS-07 partner.create makes one partner for a create_key', async () => {
    const input = { name: 'Nordic Resellers', create_key: 'partner-1' };
    const { answers, added } = await repeated('partner.create', input);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.partner_id)).size).toBe(1);
    expect(added).toEqual(['PartnerCreated']);
    const other = await service.ops('partner.create', { ...input, name: 'Other' });
    expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['create_key']]);
  });

  it('CAP-01 caps.set sets one cap for a set_key', async () => {
    const workspace = await service.workspace({ credits: 10 });
    const cap = { workspace_id: workspace.id, scope: 'workspace', period: 'day', limit: 5, set_key: 'day' };
    const { answers, added } = await repeated('caps.set', cap);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(added).toEqual(['CapSet']);
    const id = answers[0]?.body.id;
    expect(answers.map(({ body }) => body)).toEqual(Array(5).fill(expect.objectContaining({ id, limit: 5 })));
  });

  it('CAP-01 caps.set neither restores a removed cap nor takes back a newer limit when it is repeated', async () => {
    const workspace = await service.workspace({ credits: 10 });
    const cap = { workspace_id: workspace.id, scope: 'workspace', period: 'day', limit: 5 };
    const { id: cap_id } = (await service.ops('caps.set', { ...cap, set_key: 'first' })).body;
    const lower = { ...cap, cap_id, limit: 3, set_key: 'lower' };
    expect((await service.ops('caps.set', lower)).body.limit).toBe(3);
    expect((await service.ops('caps.set', { ...cap, cap_id, limit: 8 })).body.limit).toBe(8);
    expect((await service.ops('caps.set', lower)).body.limit).toBe(8);
    await service.ops('caps.remove', { workspace_id: workspace.id, cap_id });
    const added = await service.settledEventsOf(async () => {
      for (const input of [{ ...cap, set_key: 'first' }, lower])
        expect((await service.ops('caps.set', input)).status).toBe(404);
    });
    expect(added).toEqual([]);
  });

  it('CAP-02 a refused caps.set leaves its set_key free', async () => {
    const workspace = await service.workspace({ credits: 10 });
    const cap = { workspace_id: workspace.id, scope: 'agent', period: 'day', limit: 5, set_key: 'free' };
    expect((await service.ops('caps.set', { ...cap, scope_id: 999_999 })).status).toBe(422);
    expect((await service.ops('caps.set', { ...cap, scope: 'workspace' })).status).toBe(200);
  });

  it('OPS-14 detection.add adds one detection for an add_key', async () => {
    const workspace = await service.workspace();
    const input = {
      workspace_id: workspace.id,
      signal_type: 'newJob',
      company_domain: 'keyed.example',
      person_network_handle: 'keyed-person',
      add_key: 'found-1',
    };
    const { answers, added } = await repeated('detection.add', input);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.detection_id)).size).toBe(1);
    expect(added.filter((type) => type === 'SignalDetected')).toHaveLength(1);
    const future = { ...input, add_key: 'found-2', signal_date: '2999-01-01' };
    expect((await service.ops('detection.add', future)).status).toBe(422);
    expect((await service.ops('detection.add', { ...input, add_key: 'found-2' })).status).toBe(200);
  });

  it('OPS-02 apikey.issue replaces a key that was not used, for an issue_key', async () => {
    const workspace = await service.workspace();
    const input = { workspace_id: workspace.id, label: 'robot', read_only: true, issue_key: 'robot-1' };
    const issued: string[] = [];
    for (const _ of [1, 2, 3]) issued.push((await service.ops('apikey.issue', input)).body.api_key);
    const statuses: number[] = [];
    for (const key of issued) statuses.push(await works(key));
    expect(statuses).toEqual([401, 401, 200]);
    expect(await works(workspace.apiKey)).toBe(200);
  });

  it('OPS-02 apikey.issue refuses to replace a key that was used, and names issue_key', async () => {
    const workspace = await service.workspace();
    const input = { workspace_id: workspace.id, label: 'robot', issue_key: 'robot-2' };
    const { api_key } = (await service.ops('apikey.issue', input)).body;
    expect(await works(api_key)).toBe(200);
    const added = await service.settledEventsOf(async () => {
      const again = await service.ops('apikey.issue', input);
      expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining('issue_key')]);
      const other = await service.ops('apikey.issue', { ...input, label: 'other' });
      expect([other.status, Object.keys(other.body.errors)]).toEqual([422, ['issue_key']]);
    });
    expect(added).toEqual([]);
    expect(await works(api_key)).toBe(200);
  });

  it.each([
    ['OPS-02', apiKeyIssue, 'apikey.issue', { label: 'robot', issue_key: 'both' }],
    ['OPS-01', workspaceCreate, 'workspace.create', { name: 'Both', create_key: 'both' }],
  ] as const)(
    '%s of two calls with one key at the same time only the later key works',
    async (_rule, command, name, fields) => {
      const { host } = service.service;
      const { id } = await service.workspace();
      const input = name === 'apikey.issue' ? { workspace_id: id, ...fields } : fields;
      const [begun, ended] = [moment(), moment()];
      /** The first call issues its key after the second call has ended. */
      const held = new Proxy(host.commands, {
        get: (commands, member) =>
          member === 'handle'
            ? async (...given: [{ readonly category: string }, ...unknown[]]) => {
                if (given[0].category === 'apiKey') {
                  begun.resolve();
                  await ended.promise;
                }
                return Reflect.apply(commands.handle, commands, given);
              }
            : Reflect.get(commands, member),
      });
      const first = runCommand({ ...host, commands: held }, command, input, testCall);
      await begun.promise;
      const { body: second } = await service.ops(name, input);
      ended.resolve();
      const { api_key: earlier } = await first.then((answer) => Object(answer));
      expect([await works(earlier), await works(second.api_key)]).toEqual([401, 200]);
      expect((await service.ops(name, input)).status).toBe(409);
    },
  );

  it('OPS-01 replaces the keys of calls that recorded no id, as programs before this one did', async () => {
    const { host } = service.service;
    const input = { name: 'Earlier', create_key: 'earlier' };
    const ids = {
      workspaceId: await host.ids.next('workspace'),
      topAccountListId: await host.ids.next('list'),
      employeeListId: await host.ids.next('list'),
    };
    const { workspaceId } = ids;
    await claimCall(host, keyedCall('workspace.create', 'create_key', input), KILLED, async () => ids);
    const wanted = { workspaceId, label: 'first key', isReadOnly: false };
    const first = await issueApiKey(host, wanted, KILLED);
    const repeated = { ...KILLED, commandId: 'its-repetition' };
    const hash = hashApiKey(first.api_key);
    await host.commands.handle(apiKey, apiKeyStreamId(hash), revoke(workspaceId), { context: repeated });
    const second = await issueApiKey(host, wanted, repeated);
    const user = await issueApiKey(host, wanted, { ...KILLED, commandId: 'of-a-user' });
    const { status, body } = await service.ops('workspace.create', input);
    expect([status, body.workspace_id]).toEqual([200, workspaceId]);
    const statuses: number[] = [];
    for (const key of [first, second, user, body]) statuses.push(await works(key.api_key));
    expect(statuses).toEqual([401, 401, 200, 200]);
  });

  it('a call that was killed between its claim and its effect is completed by its repetition', async () => {
    const { host } = service.service;
    const workspace = await service.workspace();
    const partner = { name: 'Killed', create_key: 'killed' };
    const partnerId = await host.ids.next('partner');
    const ofPartner = keyedCall('partner.create', 'create_key', partner);
    await claimCall(host, ofPartner, KILLED, () => Promise.resolve({ partnerId }));
    expect((await service.ops('partner.create', partner)).body).toEqual({ partner_id: partnerId });

    const input = { workspace_id: workspace.id, label: 'robot', issue_key: 'killed' };
    const ofKey = keyedCall('apikey.issue', 'issue_key', input);
    if (ofKey === null) throw new Error('the call has no key');
    await claimId(host, ofKey, KILLED, 'apiKey', await host.ids.next('apiKey'));
    expect(await works((await service.ops('apikey.issue', input)).body.api_key)).toBe(200);
  });
});
