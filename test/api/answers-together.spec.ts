import { Module } from '@nestjs/common';
import { fastify, type FastifyInstance } from 'fastify';
import { installAnswersTogether } from '#http/answers-together.js';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import type { HttpApp } from '#http/http-app.js';
import { idParam } from '#http/parameters.js';
import { reply } from '#http/reply.js';
import { Type } from '#kernel/values/schema.js';
import { httpListener } from '#test/support/http-listener.js';

const Nothing = Type.Object({ data: Type.Null() });
const params = { id: idParam(404) };
const FOUND = [200, 'application/json; charset=utf-8'];
const FAILED = [500, 'application/problem+json'];

@Endpoint({
  caller: 'public',
  route: 'GET /gate/:id',
  summary: 'Answers',
  params,
  response: Nothing,
})
class Gate {
  handle({ params: { id } }: PublicRequest<{ params: typeof params }>) {
    // HTTP does not allow such a header
    return reply({ data: null }, { headers: id === 2 ? { 'X-Forbidden': 'a\nb' } : { 'X-Allowed': 'a' } });
  }
}

@Module({ controllers: [Gate] })
class GateModule {}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Lets all work run that needs no further turn. */
async function allOfThisTurn(): Promise<void> {
  for (let step = 0; step < 50; step += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
}

describe('answers to requests of one turn of the loop', () => {
  let app: FastifyInstance;
  let opened: Promise<void>;
  let asked: number;
  let answered: number[];

  async function open(smallMs: number): Promise<void> {
    [opened, asked, answered] = [Promise.resolve(), 0, []];
    app = fastify();
    installAnswersTogether(app, smallMs);
    app.get<{ Params: { id: string } }>('/:id', async ({ params: { id } }) => {
      asked += 1;
      await opened;
      return { id: Number(id) };
    });
    await app.ready();
  }
  afterEach(() => app.close());

  function ask(id: number): void {
    void app
      .inject({ method: 'GET', url: `/${id}` })
      .then((answer) => answered.push(answer.json<{ id: number }>().id));
  }

  it('are sent at the end of the turn', async () => {
    await open(Infinity);
    [1, 3, 4].forEach(ask);
    await allOfThisTurn();
    expect([asked, answered]).toEqual([3, []]);
    await turn();
    await allOfThisTurn();
    expect(answered).toEqual([1, 3, 4]);
  });

  it('are not held back if they had to wait for something else', async () => {
    await open(Infinity);
    let letGo = (): void => undefined;
    opened = new Promise((resolve) => (letGo = resolve));
    [1, 2, 4].forEach(ask);
    await allOfThisTurn();
    await turn();
    expect(asked).toBe(3);
    letGo();
    ask(5);
    await allOfThisTurn();
    // the fourth request came in this turn
    expect([asked, answered]).toEqual([4, [1, 2, 4]]);
    await turn();
    await allOfThisTurn();
    expect(answered).toEqual([1, 2, 4, 5]);
  });

  it('are sent before the end of the turn together with one that took long', async () => {
    await open(-1);
    [1, 3].forEach(ask);
    await allOfThisTurn();
    expect(answered).toEqual([1, 3]);
  });
});

describe('answers that are sent together', () => {
  let app: HttpApp;
  beforeEach(async () => {
    app = await httpListener({ rootModule: GateModule });
  });
  afterEach(() => app.close());

  it('do not depend on one another: one that cannot be sent becomes a problem', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(async (id) => {
        const { statusCode, headers } = await app.nest.inject({ method: 'GET', url: `/gate/${id}` });
        return [statusCode, headers['content-type']];
      }),
    );
    expect(answers).toEqual([FOUND, FAILED, FOUND]);
  });
});
