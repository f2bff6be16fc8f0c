import { diagnostic } from '#test/support/diagnostic.js';
import { Agent, request as send } from 'node:http';
import * as fc from 'fast-check';
import { answersOf, apiDocument, type ReceivedAnswer } from '#test/support/declared-answers.js';
import { furnish, routes } from '#test/support/every-route.js';
import { keptBytes } from '#test/support/kept-memory.js';
import { startTestService, type TestService } from '#test/support/service.js';
import { arbitraryRequests, type Callers, type RandomRequest } from './arbitrary-requests.js';

// Requests made from the OpenAPI document. A failure names its seed and the request: RANDOM_SEED runs it again,
// RANDOM_REQUESTS sets the number of requests.
const REQUESTS = Number(process.env['RANDOM_REQUESTS'] ?? 1_500);
const SEED = Number(process.env['RANDOM_SEED'] ?? 1);
const MOST_AT_ONCE = 40;
const WARM_UP = 1_000;
const MOST_GROWTH_BYTES = 96 * 1024 * 1024;

describe(`${REQUESTS} random requests made from the document`, () => {
  const check = answersOf(apiDocument());
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const counts = new Map<number, number>();
  let service: TestService;
  let callers: Callers;
  const created = new Map<string, number[]>();

  beforeAll(async () => {
    service = await startTestService({ CLOCK: 'manual', RATE_LIMIT_RPS: '0' });
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    const workspace = await service.workspace();
    const other = await service.workspace();
    const foreign = await furnish(service, other);
    callers = { own: await furnish(service, workspace), foreign, apiKey: workspace.apiKey, created };
  });
  afterAll(async () => {
    agent.destroy();
    await service.stop();
  });

  it('ERR-14 OP-07 INV-07 are answered as declared and never with 5xx; refusals add no event; memory stays bounded', async () => {
    const requests = arbitraryRequests(apiDocument(), routes, callers);
    const batches = fc.array(requests, { minLength: 1, maxLength: MOST_AT_ONCE, size: 'max' });
    let seed = SEED;
    const run = async (until: number): Promise<void> => {
      for (; answered() < until; seed += 1) {
        await fc.assert(fc.asyncProperty(batches, ask), { seed, numRuns: 50, endOnFailure: true });
      }
    };
    await run(WARM_UP);
    const before = keptBytes();
    await run(REQUESTS);
    const grown = keptBytes() - before;
    expect(grown).toBeLessThan(MOST_GROWTH_BYTES);
    // each of these statuses occurred, or nothing was proven
    for (const status of [200, 201, 202, 400, 401, 404, 422]) {
      if ((counts.get(status) ?? 0) < REQUESTS / 2_000)
        throw new Error(`nearly nothing was answered ${status}`);
    }
    const summary = [...counts].sort(([left], [right]) => left - right).map((entry) => entry.join(': '));
    diagnostic(`${summary.join(', ')}; the heap grew by ${Math.round(grown / 1024)} KiB`);
  });

  const answered = (): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

  /** Sends one batch concurrently, then attributes the new events to its requests. */
  async function ask(batch: readonly RandomRequest[]): Promise<void> {
    const { eventStore } = service.service.host;
    const head = await eventStore.head();
    const answers = await Promise.all(batch.map((each) => answerTo(each)));
    const refused = new Map<string, string>();
    for (const [index, answer] of answers.entries()) {
      const request = batch[index];
      if (request === undefined) throw new Error('an answer without a request');
      const { method, url } = request;
      const sent = JSON.stringify(request).slice(0, 2_000);
      const faults = check(method, url, answer);
      if (answer.status >= 500 || faults.length > 0) {
        const body = JSON.stringify(answer.body)?.slice(0, 500);
        throw new Error(`${sent} was answered ${answer.status}: ${faults.join('; ')} ${body}`);
      }
      if (answer.status === 201) noteCreated(url, answer.body);
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
      if (answer.status < 400) continue;
      refused.set(answer.headers.get('x-request-id') ?? '', `${sent} was answered ${answer.status}`);
    }
    for await (const { events } of eventStore.readAll({ after: head })) {
      for (const { type, stream, metadata } of events) {
        // the claim of an Idempotency-Key stores the refusal, to answer it again
        const from = stream.startsWith('request-') ? undefined : refused.get(metadata['correlationId'] ?? '');
        if (from !== undefined) throw new Error(`${from}, and yet ${type} was added to ${stream}`);
      }
    }
  }

  /** Later requests name the object that this one made. */
  function noteCreated(url: string, body: unknown): void {
    const place = Object.keys(callers.own).find((known) => known.startsWith(`${url.replace(/\?.*/, '')}/`));
    const { id } = Object(Object(body).data);
    if (place === undefined || typeof id !== 'number') return;
    created.set(place, [...(created.get(place) ?? []), id]);
  }

  function answerTo({ method, url, headers, body, encoding }: RandomRequest): Promise<ReceivedAnswer> {
    // a URL object would normalize the path
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      const request = send(
        { host: hostname, port, path: url, method, agent, headers: { ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const isJson = /json$/.test(response.headers['content-type']?.replace(/;.*/, '') ?? '');
            const summary = new Headers();
            for (const [name, value] of Object.entries(response.headers)) summary.set(name, String(value));
            resolve({
              status: response.statusCode ?? 0,
              headers: summary,
              body: text === '' ? null : isJson ? JSON.parse(text) : text,
            });
          });
        },
      );
      request.on('error', reject);
      request.end(body === null ? undefined : Buffer.from(body, encoding));
    });
  }
});
