import { setImmediate as turn } from 'node:timers/promises';
import { chatResearcher } from '#signals/detection/research/chat-researcher.js';
import { createOutbound } from '#outbound/outbound.js';
import type { Passage } from '#signals/detection/research/passage.js';
import type { Question, Researcher } from '#signals/detection/research/researcher.port.js';
import {
  inTurn,
  refusing,
  replying,
  sendJson,
  startChatServer,
  type Answering,
  type ChatServer,
} from '../support/chat-server.js';

const outbound = createOutbound({ allowed: [] });
const SAP: Question = { text: 'Does the company run SAP?', choices: null, notes: [] };
const PASSAGES: readonly Passage[] = [
  {
    ref: 'post:1',
    date: '2026-01-03T09:00:00.000Z',
    url: null,
    title: null,
    text: 'We run SAP S/4.',
    reading: null,
  },
];
const YES = replying('{"answer":"yes","evidence":[1]}');
const ANSWERED = { outcome: 'answered', answer: 'yes', evidence: [0] };
const UNANSWERED = { outcome: 'unanswered' };
const UNAVAILABLE = { outcome: 'unavailable' };
const NEVER = new AbortController().signal;
const silence: Answering = () => undefined;

describe('the chat-completions researcher', () => {
  let server: ChatServer;
  let pauses: number[];
  let troubles: string[];
  beforeEach(async () => {
    server = await startChatServer();
    [pauses, troubles] = [[], []];
  });
  afterEach(() => server.close());

  const researcher = (options: { key?: string | null; timeoutMs?: number; url?: string } = {}): Researcher =>
    chatResearcher(
      { url: options.url ?? server.url, model: 'small-1', key: options.key ?? null },
      {
        outbound,
        onUnavailable: (why) => troubles.push(why),
        pause: async (ms) => {
          pauses.push(ms);
        },
        timeoutMs: options.timeoutMs ?? 60_000,
      },
    );
  /** Asks a server that gives this answer. */
  const ask = (answer: Answering, options?: Parameters<typeof researcher>[0]) => {
    server.answer = answer;
    return researcher(options).research(SAP, PASSAGES, NEVER);
  };

  it('D-83 asks with the model, no temperature, a JSON response format, a system message and a user message', async () => {
    expect(await ask(YES)).toEqual(ANSWERED);
    const [request, ...others] = server.requests;
    expect(others).toEqual([]);
    expect([request?.method, request?.url]).toEqual(['POST', '/v1/chat/completions']);
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(request?.headers.authorization).toBeUndefined();
    const { messages, ...rest } = request?.body;
    expect(rest).toEqual({ model: 'small-1', temperature: 0, response_format: { type: 'json_object' } });
    expect(messages).toEqual([
      { role: 'system', content: expect.stringContaining('{"answer"') },
      {
        role: 'user',
        content:
          '{"question":"Does the company run SAP?","allowed_answers":["yes","no","unknown"],"notes":[],' +
          '"passages":[{"n":1,"date":"2026-01-03","text":"We run SAP S/4."}]}',
      },
    ]);
  });

  it('D-83 sends the key as a bearer token, and discloses it nowhere else', async () => {
    await ask(refusing(401), { key: 'secret-key' });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret-key');
    expect(troubles).toEqual(['the research endpoint answered 401']);
  });

  it('D-83 returns no answer when the model says no or does not know', async () => {
    for (const answer of ['no', 'unknown'])
      expect(await ask(replying(JSON.stringify({ answer, evidence: [] })))).toEqual(UNANSWERED);
    expect([server.requests.length, troubles]).toEqual([2, []]);
  });

  it('D-83 asks three times for a usable answer, and then treats the question as unanswered', async () => {
    const noCompletions: readonly Answering[] = [
      replying('{"answer":"perhaps","evidence":[1]}'),
      replying('I think that they do.'),
      (response) => sendJson(response, {}),
      (response) => sendJson(response, { choices: [] }),
      (response) => sendJson(response, { choices: [{ message: { content: null } }] }),
      (response) => sendJson(response, null),
      (response) => void response.end('not JSON'),
      (response) => void response.writeHead(204).end(),
    ];
    for (const [index, bad] of noCompletions.entries()) {
      expect([index, await ask(bad)]).toEqual([index, UNANSWERED]);
      expect([index, server.requests.splice(0).length, pauses.splice(0)]).toEqual([index, 3, [1_000, 4_000]]);
    }
    expect(troubles).toEqual([]);
    expect(await ask(inTurn(replying('?'), YES))).toEqual(ANSWERED);
  });

  it('D-83 accepts nothing that instructions in the passages made the model say', async () => {
    for (const content of [
      '{"answer":"yes","evidence":[2]}',
      '{"answer":"SAP is great","evidence":[1]}',
      '{"answer":"yes","evidence":["https://evil.example"]}',
    ])
      expect(await ask(replying(content))).toEqual(UNANSWERED);
  });

  it('D-83 asks again after 1 s and 4 s when the endpoint is busy or fails, and gives up after three attempts', async () => {
    for (const status of [429, 500, 502, 503]) {
      expect([status, await ask(refusing(status))]).toEqual([status, UNAVAILABLE]);
      expect([status, server.requests.splice(0).length, pauses.splice(0)]).toEqual([
        status,
        3,
        [1_000, 4_000],
      ]);
      expect(troubles.splice(0)).toEqual([`the research endpoint answered ${status}`]);
    }
    expect(await ask(inTurn(refusing(429), refusing(500), YES))).toEqual(ANSWERED);
    expect(troubles).toEqual([]);
  });

  it('D-83 waits as long as the endpoint asks, up to 30 s', async () => {
    const after = (seconds: string) => refusing(429, { 'retry-after': seconds });
    expect(await ask(inTurn(after('7'), after('30'), YES))).toEqual(ANSWERED);
    expect(pauses.splice(0)).toEqual([7_000, 30_000]);
    expect(await ask(inTurn(after('0'), after('31'), YES))).toEqual(ANSWERED);
    expect(pauses.splice(0)).toEqual([1_000, 4_000]);
    expect(await ask(inTurn(after('soon'), after(new Date(Date.now() + 20_500).toUTCString()), YES))).toEqual(
      ANSWERED,
    );
    const [first, second] = pauses;
    expect(first).toBe(1_000);
    // More than the pause after a second refusal that names no time.
    expect(second).toBeGreaterThan(4_000);
    expect(second).toBeLessThanOrEqual(20_500);
  });

  it('D-83 does not ask again after a refusal or a redirect, and follows no redirect', async () => {
    const elsewhere = await startChatServer(YES);
    for (const status of [400, 401, 403, 404, 422, 301, 302, 307, 308]) {
      const answer = refusing(status, status < 400 ? { location: elsewhere.url } : {});
      expect([status, await ask(answer, { key: 'secret-key' })]).toEqual([status, UNAVAILABLE]);
      expect([status, server.requests.splice(0).length, pauses]).toEqual([status, 1, []]);
    }
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('D-83 reads no more than 1 MiB, and does not ask again', async () => {
    const content = '{"answer":"yes","evidence":[1]}';
    const padded =
      (padding: number): Answering =>
      (response) =>
        sendJson(response, { choices: [{ message: { content } }], padding: 'x'.repeat(padding) });
    expect(await ask(padded(1024 * 1024 - 1_000))).toEqual(ANSWERED);
    expect(await ask(padded(1024 * 1024))).toEqual(UNAVAILABLE);
    const endless: Answering = (response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', more);
      more();
    };
    expect(await ask(endless)).toEqual(UNAVAILABLE);
    expect([server.requests.length, pauses]).toEqual([3, []]);
    expect(troubles).toEqual(Array(2).fill('the research endpoint answered with more than 1 MiB'));
  });

  it('D-83 gives up an attempt that takes too long, even in the middle of an answer', async () => {
    expect(await ask(silence, { timeoutMs: 50 })).toEqual(UNAVAILABLE);
    const half: Answering = (response) => void response.writeHead(200).write('{"choices":');
    expect(await ask(half, { timeoutMs: 50 })).toEqual(UNAVAILABLE);
    expect(server.requests).toHaveLength(6);
    expect(troubles).toEqual(Array(2).fill('the research endpoint did not answer in time'));
  });

  it('D-83 asks again when the connection breaks or cannot be made', async () => {
    expect(await ask(inTurn((response) => void response.destroy(), YES))).toEqual(ANSWERED);
    const { url, close } = await startChatServer();
    await close();
    expect(await ask(YES, { url })).toEqual(UNAVAILABLE);
    expect(pauses).toEqual([1_000, 1_000, 4_000]);
    expect(troubles).toEqual(['the research endpoint could not be reached']);
  });

  it('D-83 is unavailable when invalid answers are mixed with failures', async () => {
    expect(await ask(inTurn(replying('?'), refusing(500), replying('?')))).toEqual(UNAVAILABLE);
  });

  it('D-83 asks at most four questions at once, over all callers', async () => {
    const waiting: (() => void)[] = [];
    server.answer = (response, request) => {
      waiting.push(() => void YES(response, request));
    };
    const asker = researcher();
    const questions = Array.from({ length: 9 }, () => asker.research(SAP, PASSAGES, NEVER));
    const atOnce: number[] = [];
    for (let answered = 0; answered < 9;) {
      const expected = Math.min(4, 9 - answered);
      while (waiting.length < expected) await turn();
      // A request that was sent too early would have arrived by now.
      for (let turns = 0; turns < 20; turns += 1) await turn();
      atOnce.push(waiting.length);
      waiting.shift()?.();
      answered += 1;
      while (server.requests.length < Math.min(9, 4 + answered)) await turn();
    }
    expect(atOnce).toEqual([4, 4, 4, 4, 4, 4, 3, 2, 1]);
    expect(await Promise.all(questions)).toEqual(Array(9).fill(ANSWERED));
  });

  it('ends at once when the service stops, both while it asks and while it waits', async () => {
    for (const answer of [silence, refusing(500)]) {
      server.answer = answer;
      const stopping = new AbortController();
      const asker = chatResearcher(
        { url: server.url, model: 'small-1', key: null },
        {
          outbound,
          onUnavailable: (why) => troubles.push(why),
          pause: (_, signal) =>
            new Promise((_resolve, reject) =>
              signal.addEventListener('abort', () => reject(new Error('stopped'))),
            ),
        },
      );
      const asked = server.requests.length;
      const research = asker.research(SAP, PASSAGES, stopping.signal);
      const ended = expect(research).rejects.toThrow();
      while (server.requests.length === asked) await turn();
      stopping.abort();
      await ended;
      expect(server.requests).toHaveLength(asked + 1);
    }
    expect(troubles).toEqual([]);
  });
});
