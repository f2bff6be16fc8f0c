import { Module } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { createHttpApp, type HttpApp } from '#http/http-app.js';
import { createLogger } from '#http/log.js';
import { idParam } from '#http/parameters.js';
import { reply } from '#http/reply.js';
import { Type } from '#kernel/values/schema.js';

const Nothing = Type.Object({ data: Type.Null() });
const params = { id: idParam(404) };
const FOUND = [200, 'application/json; charset=utf-8'];
const FAILED = [500, 'application/problem+json'];
let opened = Promise.resolve();
let asked = 0;

@Endpoint({
  caller: 'public',
  route: 'GET /gate/:id',
  summary: 'Waits for the gate',
  params,
  response: Nothing,
})
class WaitAtGate {
  async handle({ params: { id } }: PublicRequest<undefined, object, typeof params>) {
    asked += 1;
    await opened;
    // HTTP does not know such a header
    return reply({ data: null }, { headers: id === 2 ? { 'X-Forbidden': 'a\nb' } : { 'X-Allowed': 'a' } });
  }
}

@Module({ controllers: [WaitAtGate] })
class GateModule {}

describe('answers to requests of one turn of the loop', () => {
  let app: HttpApp;
  let answered: unknown[];

  beforeEach(async () => {
    asked = 0;
    answered = [];
    opened = Promise.resolve();
    app = await createHttpApp({
      rootModule: GateModule,
      callers: {},
      readiness: { report: async () => ({ ready: true, degraded: [], reasons: [] }) },
      logger: createLogger('silent'),
      docsUrl: 'https://docs.example.test',
    });
  });
  afterEach(() => app.close());

  function ask(id: number): void {
    void app.nest
      .inject({ method: 'GET', url: `/gate/${id}` })
      .then(({ statusCode, headers }) => answered.push([statusCode, headers['content-type']]));
  }
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** Everything is done that can be without another turn. */
  async function allOfThisTurn(): Promise<void> {
    for (let step = 0; step < 50; step += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
  }

  it('are sent at its end', async () => {
    [1, 3, 4].forEach(ask);
    await allOfThisTurn();
    expect([asked, answered]).toEqual([3, []]);
    await turn();
    await allOfThisTurn();
    expect(answered).toEqual([FOUND, FOUND, FOUND]);
  });

  it('are not held back where they had to wait for something else', async () => {
    let open = (): void => undefined;
    opened = new Promise((resolve) => (open = resolve));
    [1, 2, 4].forEach(ask);
    await allOfThisTurn();
    await turn();
    expect(asked).toBe(3);
    open();
    ask(5);
    await allOfThisTurn();
    // the fourth came in this turn
    expect([asked, answered]).toEqual([4, [FOUND, FAILED, FOUND]]);
    await turn();
    await allOfThisTurn();
    expect(answered).toEqual([FOUND, FAILED, FOUND, FOUND]);
  });

  it('do not depend on one another: one that cannot be sent is a problem', async () => {
    [1, 2, 3].forEach(ask);
    while (answered.length < 3) await turn();
    expect(answered.sort()).toEqual([FOUND, FOUND, FAILED]);
  });
});
