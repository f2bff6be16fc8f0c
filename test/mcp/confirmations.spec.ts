import { balanceOf } from '#test/support/signal-runs.js';
import {
  answerOf,
  crmScene,
  crmSetup,
  mcpClient,
  overHttp,
  problemIn,
  rawMcp,
  SCENE_AT,
  type RawMcp,
} from '#test/support/mcp.js';
import type { TestWorkspace } from '#test/support/service.js';

const YES = { confirm: { action: 'accept', content: { launch: true } } };

describe('MCP-05 a launch that needs the agreement of a person', () => {
  const service = crmScene();
  let workspace: TestWorkspace;
  let raw: RawMcp;
  let keys = 0;
  beforeEach(async () => {
    await service.setClock(SCENE_AT);
    workspace = await service.workspace();
    raw = rawMcp(service.url, workspace.apiKey);
  });

  /** Arguments of a launch that is not confirmed yet. */
  const newLaunch = async (of: TestWorkspace = workspace): Promise<Record<string, unknown>> => ({
    signal_setup_id: await crmSetup(of),
    max_credits: 30,
    idempotency_key: `launch-${(keys += 1)}`,
  });
  const callBy =
    (by: RawMcp) =>
    (given: object, retry: object = {}, asks = true): ReturnType<RawMcp> =>
      by('tools/call', { name: 'launch_run', arguments: given, ...retry }, { asks });
  const call: ReturnType<typeof callBy> = (...launch) => callBy(raw)(...launch);
  /** The state that the client must return with its answer. */
  async function asked(given: object): Promise<string> {
    const { body } = await call(given);
    expect(body.result.resultType).toBe('input_required');
    return body.result.requestState;
  }
  /** Refused, and not one event is added. */
  async function refused(given: object, retry: object, by = call): Promise<unknown> {
    let problem: unknown = null;
    await service.expectSettledEvents([], async () => {
      problem = problemIn(await by(given, retry));
    });
    return problem;
  }
  const onState = (message: string) => ({
    status: 400,
    detail: 'The confirmation cannot be used.',
    errors: { requestState: [message] },
  });

  it('asks with the numbers of a quote, and records nothing', async () => {
    const given = await newLaunch();
    await service.expectSettledEvents([], async () => {
      const { body } = await call(given);
      expect(body.result).toMatchObject({
        resultType: 'input_required',
        requestState: expect.any(String),
        inputRequests: {
          confirm: {
            method: 'elicitation/create',
            params: {
              message: expect.stringMatching(
                /^Launch a run of signal setup \d+\? It spends at most 30 of 1000 credits: 5 new signals, 5 of them at 10 credits each\.$/,
              ),
              requestedSchema: { properties: { launch: { title: 'Launch, and spend at most 30 credits' } } },
            },
          },
        },
      });
    });
    expect(await balanceOf(workspace)).toMatchObject({ balance: 1000, held: 0 });
  });

  it('launches once with the quote that the person saw, and gives the same answer again', async () => {
    const given = await newLaunch();
    const requestState = await asked(given);
    const first = await call(given, { requestState, inputResponses: YES });
    expect(first.body.result.structuredContent).toMatchObject({ replayed: false, charged: 0 });
    await service.drain();
    await service.expectSettledEvents([], async () => {
      for (let times = 0; times < 3; times += 1) {
        const { body } = await call(given, { requestState, inputResponses: YES });
        expect(body.result.structuredContent).toMatchObject({ replayed: true, charged: 30 });
      }
      // So does a repeated call whose answer was lost before the agreement: no question about a finished launch.
      expect((await call(given)).body.result.structuredContent).toMatchObject({
        replayed: true,
        charged: 30,
      });
    });
    expect(await balanceOf(workspace)).toMatchObject({ balance: 970, held: 0 });
    const verified = await service.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true, differences: [] });
  });

  it('is launched once by twenty agreements at the same time', async () => {
    const given = await newLaunch();
    const requestState = await asked(given);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call(given, { requestState, inputResponses: YES })),
    );
    const launched = answers.filter(({ body }) => body.result.structuredContent.replayed === false);
    expect(launched).toHaveLength(1);
    for (const answer of answers) {
      const problem = problemIn(answer);
      if (problem !== null)
        expect(problem).toMatchObject({ status: 409, detail: expect.stringMatching(/try again/) });
    }
    await service.drain();
    expect(await balanceOf(workspace)).toMatchObject({ balance: 970 });
  });

  it('limits the launch to the quote of the ledger: the quote cannot be launched a second time', async () => {
    const given = await newLaunch();
    const requestState = await asked(given);
    const content = JSON.parse(Buffer.from(requestState, 'base64url').subarray(0, -8).toString());
    expect((await call(given, { requestState, inputResponses: YES })).status).toBe(200);
    await service.drain();
    const { signal_setup_id, max_credits } = given;
    const body = { signal_setup_id, max_credits, quote_id: content.x.quoteId };
    const second = await workspace.call('POST /api/v2/workspace/signal-runs', body);
    expect([second.status, second.body.title]).toEqual([409, 'Quote used']);
  });

  it('cannot be used for other arguments, another tool, another key or another workspace', async () => {
    const given = await newLaunch();
    const requestState = await asked(given);
    const retry = { requestState, inputResponses: YES };
    for (const other of [
      { ...given, max_credits: 40 },
      { ...given, idempotency_key: 'another' },
      { ...given, parameters: { lookback_days: 180 } },
    ])
      expect(await refused(other, retry)).toMatchObject(onState('was given for other arguments'));
    const issued = await service.ops('apikey.issue', { workspace_id: workspace.id, label: 'second' });
    const other = await service.workspace();
    for (const apiKey of [issued.body.api_key, other.apiKey])
      expect(await refused(given, retry, callBy(rawMcp(service.url, apiKey)))).toMatchObject(
        onState('was not given to this key for this tool'),
      );
  });

  it('cannot be forged: by changing any bit, or with other values that the service sealed', async () => {
    const given = await newLaunch();
    const requestState = await asked(given);
    const bytes = Buffer.from(requestState, 'base64url');
    const forged = [0, Math.floor(bytes.length / 2), bytes.length - 9, bytes.length - 1].map((place) => {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      return changed.toString('base64url');
    });
    const { body: quote } = await workspace.call('POST /api/v2/workspace/signal-runs/quote', {
      signal_setup_id: given['signal_setup_id'],
    });
    const { body: page } = await workspace.call('GET /api/v3/credits/movements?limit=1');
    for (const state of [
      ...forged,
      '',
      'x',
      `${requestState}=`,
      requestState.slice(0, -4),
      quote.quote_id,
      String(quote.quote_id).replace('quote_', ''),
      String(page.meta.cursor.next),
      'a'.repeat(100_000),
    ])
      expect([
        state.slice(0, 20),
        await refused(given, { requestState: state, inputResponses: YES }),
      ]).toMatchObject([state.slice(0, 20), onState('was not given to this key for this tool')]);
    const noText = await raw('tools/call', { name: 'launch_run', arguments: given, requestState: { x: 1 } });
    expect(noText.body.error.code).toBe(-32602);
  });

  it('cannot be used after ten minutes', async () => {
    const given = await newLaunch();
    const requestState = await asked(given);
    await service.setClock('2026-06-01T10:10:00.000Z');
    expect(await refused(given, { requestState, inputResponses: YES })).toMatchObject(
      onState('has expired: call without it to be asked again'),
    );
    const renewed = await asked(given);
    await service.setClock('2026-06-01T10:19:59.999Z');
    const { body } = await call(given, { requestState: renewed, inputResponses: YES });
    expect(body.result.structuredContent).toMatchObject({ replayed: false });
    await service.drain();
  });

  it('launches nothing after a no, a dismissal or an empty yes, and asks again without an answer', async () => {
    const given = await newLaunch();
    const requestState = await asked(given);
    const noes = [
      { action: 'decline' },
      { action: 'cancel' },
      { action: 'accept' },
      { action: 'accept', content: {} },
      { action: 'accept', content: { launch: false } },
      { action: 'accept', content: { launch: 'true' } },
    ];
    for (const confirm of noes)
      expect(await refused(given, { requestState, inputResponses: { confirm } })).toMatchObject({
        status: 403,
        detail: expect.stringMatching(/did not agree: nothing was launched/),
      });
    for (const inputResponses of [undefined, {}, { other: YES.confirm }]) {
      const { body } = await call(given, { requestState, inputResponses });
      expect(body.result.resultType).toBe('input_required');
    }
    // An answer without its question does not count.
    expect((await call(given, { inputResponses: YES })).body.result.resultType).toBe('input_required');
    expect(await balanceOf(workspace)).toMatchObject({ balance: 1000, held: 0 });
  });

  it('is limited by max_credits when nothing priced is found now, and refused by balance and caps as usual', async () => {
    const given = await newLaunch();
    await workspace.call('POST /api/v2/workspace/signal-runs', { signal_setup_id: given['signal_setup_id'] });
    await service.drain();
    expect(await balanceOf(workspace)).toMatchObject({ balance: 950 });
    const { body } = await call(given);
    expect(body.result.inputRequests.confirm.params.message).toMatch(
      /at most 30 of 950 credits: 0 new signals/,
    );
    const { requestState } = body.result;
    const launched = await call(given, { requestState, inputResponses: YES });
    expect(launched.body.result.structuredContent).toMatchObject({ runs: [{ max_credits: 30 }] });
    await service.drain();
    const capped = await newLaunch();
    await workspace.call('POST /api/v3/credits/caps', { scope: 'workspace', period: 'month', limit: 5 });
    const state = await asked(capped);
    expect(problemIn(await call(capped, { requestState: state, inputResponses: YES }))).toMatchObject({
      status: 402,
      title: 'Cap reached',
      cap: { limit: 5 },
    });
  });

  it('is refused when the agreed values have changed, and the person is asked again under another key', async () => {
    const given = await newLaunch();
    const requestState = await asked(given);
    const changed = { parameters: { tracking_keywords: ['crm', 'erp'] } };
    const setup = `/api/v3/signal-setups/${String(given['signal_setup_id'])}`;
    expect((await workspace.call(`PATCH ${setup}`, changed)).status).toBe(200);
    expect(problemIn(await call(given, { requestState, inputResponses: YES }))).toMatchObject({
      status: 409,
      title: 'Quote outdated',
    });
    const renewed = { ...given, idempotency_key: 'renewed' };
    const state = await asked(renewed);
    const { body } = await call(renewed, { requestState: state, inputResponses: YES });
    expect(body.result.structuredContent).toMatchObject({ replayed: false });
    await service.drain();
  });

  it('accepts a quote of the assistant, and does not ask a client that cannot ask', async () => {
    const given = await newLaunch();
    const { body: quote } = await workspace.call('POST /api/v2/workspace/signal-runs/quote', {
      signal_setup_id: given['signal_setup_id'],
      max_credits: 30,
    });
    const quoted = { ...given, quote_id: quote.quote_id };
    const { body } = await call(quoted);
    expect(body.result.inputRequests.confirm.params.message).toMatch(/with an earlier quote\?$/);
    const silent = await call(quoted, {}, false);
    expect(silent.body.result.structuredContent).toMatchObject({
      replayed: false,
      runs: [{ max_credits: 30 }],
    });
    await service.drain();
  });

  it('is carried by the official client from the question to the launch', async () => {
    const given = await newLaunch();
    const messages: string[] = [];
    const client = await mcpClient(overHttp(service.url, workspace.apiKey), {
      ask: (message) => {
        messages.push(message);
        return { action: 'accept', content: { launch: true } };
      },
    });
    expect(await answerOf(client, 'launch_run', given)).toMatchObject({ replayed: false });
    expect(messages).toHaveLength(1);
    await client.close();
    await service.drain();
  });
});
