import { actionPath, cells, hiddenFields, signedIn } from '#test/support/console-visitor.js';
import { addedMaria, operatorOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const ACTION = '/console/actions/';

describe('further actions of the console', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z' });
  const workspace = sharedWorkspace(service, { name: 'Acme', credits: 100 });
  let endpointId: number;
  let sourceId: number;

  beforeAll(async () => {
    const made = await workspace.call('POST /api/v3/webhook-endpoints', {
      url: 'https://hooks.example.com/in',
    });
    endpointId = made.body.data.id;
    const source = await service.ops('source.add', {
      url: 'https://boards.greenhouse.io/acme',
      domain: 'acme.com',
    });
    sourceId = source.body.source_id;
    await addedMaria(service);
  });
  const operator = operatorOf(service);

  type Fields = Readonly<Record<string, string | number>>;

  /**
   * Shows the change of an action, which changes nothing, and sends its form; again if it is asked a second time. The
   * answer is the page on which it ends, with the types of the written events.
   */
  async function carriedOut(
    command: string,
    fields: Fields,
    {
      affects,
      change,
      isAskedAgain = false,
    }: {
      readonly affects: string;
      readonly change: readonly string[];
      readonly isAskedAgain?: boolean;
    },
  ): Promise<{ readonly text: string; readonly at: string | null; readonly events: readonly string[] }> {
    const address = actionPath(command, fields);
    let form: Readonly<Record<string, string>> = {};
    const before = await service.settledEventsOf(async () => {
      const shown = await operator.get(address);
      expect([command, shown.status, shown.text.includes(affects)]).toEqual([command, 200, true]);
      expect(cells(shown.text)).toContainEqual(change);
      form = hiddenFields(shown.text);
      if (!isAskedAgain) return;
      const asked = await operator.send(ACTION + command, form);
      expect([asked.status, asked.text.includes('This cannot be undone.')]).toEqual([200, true]);
      form = hiddenFields(asked.text);
    });
    expect([command, before]).toEqual([command, []]);
    let text = '';
    let at: string | null = null;
    const events = await service.settledEventsOf(async () => {
      const done = await operator.send(ACTION + command, form);
      at = done.location;
      text = at === null ? done.text : (await operator.get(at)).text;
    });
    return { text, at, events };
  }
  const nothingToDo = async (command: string, fields: Fields): Promise<string> =>
    (await operator.get(actionPath(command, fields))).text;

  it('CON-05 credits are withdrawn; the action ends on the movement', async () => {
    const fields = { workspace_id: workspace.id, credits: 12.5, reason: 'paid back' };
    const { text, at, events } = await carriedOut('credits.withdraw', fields, {
      affects: '1 workspace, -12.5 credits',
      change: ['Balance of Acme', '100', '87.5'],
    });
    expect(events).toEqual(['CreditsWithdrawn']);
    expect(at).toMatch(new RegExp(`^/console/workspaces/${workspace.id}/movements/\\d+$`));
    expect([text.includes('The balance is 87.5.'), text.includes('paid back')]).toEqual([true, true]);
  });

  it('CON-05 a workspace is blocked and the block is lifted', async () => {
    const fields = { workspace_id: workspace.id, reason: 'unpaid' };
    for (const [command, now, then] of [
      ['workspace.block', 'not blocked', 'blocked'],
      ['workspace.unblock', 'blocked', 'not blocked'],
    ] as const) {
      const { text, at } = await carriedOut(command, fields, {
        affects: '1 workspace',
        change: ['Launches of runs of Acme', now, then],
      });
      expect(text).toContain(`The workspace is ${then}.`);
      expect(at).toEqual(`/console/workspaces/${workspace.id}/access`);
      const body = await workspace.command('workspace.show');
      expect(body.blocked).toBe(then === 'blocked');
      expect(await nothingToDo(command, fields)).toContain(`The workspace is already ${then}.`);
    }
  });

  it('CON-05 a source is paused and resumed', async () => {
    const fields = { source_id: sourceId };
    const statusOf = async (): Promise<string> => (await service.ops('source.show', fields)).body.status;
    const before = await statusOf();
    const name = `Source ${sourceId}, https://boards.greenhouse.io/acme`;
    const paused = await carriedOut('source.pause', fields, {
      affects: '1 source',
      change: [name, before, 'paused'],
    });
    expect([paused.at, await statusOf()]).toEqual(['/console/sources', 'paused']);
    expect(paused.text).toContain(`Source ${sourceId} is paused.`);
    expect(await nothingToDo('source.pause', fields)).toContain('The source is already paused.');
    await carriedOut('source.resume', fields, { affects: '1 source', change: [name, 'paused', 'active'] });
    expect(await statusOf()).not.toBe('paused');
  });

  it('CON-05 events are sent again after a confirmation; not to an endpoint that is disabled', async () => {
    const fields = { workspace_id: workspace.id, endpoint_id: endpointId, since: '2026-05-01' };
    const { text, at, events } = await carriedOut('endpoint.replay', fields, {
      affects: '1 endpoint, every event since 2026-05-01',
      change: ['Sent again to', '', 'https://hooks.example.com/in'],
      isAskedAgain: true,
    });
    expect(events).toEqual([expect.stringContaining('Replay')]);
    expect(text).toContain('A replay to endpoint');
    expect(at).toEqual(`/console/workspaces/${workspace.id}/deliveries`);
    const { since, ...neither } = fields;
    expect(since).toBe('2026-05-01');
    expect(await nothingToDo('endpoint.replay', neither)).toContain('Name an event, or the day from');
    await service.command('endpoint.pause', neither);
    expect(await nothingToDo('endpoint.replay', fields)).toContain('The endpoint is disabled.');
  });

  it('CON-05 an operator gets a new token, shown once; the earlier one signs in no more', async () => {
    const made = await service.ops('operator.add', { name: 'leo', role: 'finance' });
    const { text, events } = await carriedOut(
      'operator.rotate',
      { name: 'leo' },
      { affects: '1 token', change: ['Token of leo', 'works', 'replaced'], isAskedAgain: true },
    );
    const token = /Token of leo[^]*?<code>([^<]+)<\/code>/.exec(text)?.[1] ?? '';
    expect([events.length, token.length > 20, token === made.body.token]).toEqual([1, true, false]);
    await expect(signedIn(service, made.body.token)).rejects.toThrow('not signed in');
    const leo = await signedIn(service, token);
    expect((await leo.get('/console')).status).toBe(200);
    expect((await operator.get('/console/operators')).text).not.toContain(token);
  });

  it('CON-05 a new token is refused if another operator has made one since it was shown', async () => {
    await service.ops('operator.add', { name: 'lea', role: 'finance' });
    const path = actionPath('operator.rotate', { name: 'lea' });
    const forms = [1, 2].map(async () => hiddenFields((await operator.get(path)).text));
    const statuses: number[] = [];
    for (const form of await Promise.all(forms)) {
      statuses.push((await operator.send(`${ACTION}operator.rotate`, { ...form, again: 'yes' })).status);
    }
    expect(statuses).toEqual([200, 409]);
  });
});
