import 'reflect-metadata';
import autocannon from 'autocannon';
import { Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { startTestService } from '../support/service.js';
import type { Bench } from './bench.js';

const CONNECTIONS = 50;
const SECONDS = 4;
const ROUNDS = 3;

@Controller()
class BareController {
  @Post('/bare')
  @HttpCode(200)
  handle() {
    return { data: [], meta: { next_cursor: null, has_more: false } };
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

async function requestsPerSecond(
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ readonly rate: number; readonly wrong: number }> {
  const result = await autocannon({
    url,
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
    connections: CONNECTIONS,
    duration: SECONDS,
    workers: 1,
  });
  return { rate: result.requests.average, wrong: result.non2xx + result.errors };
}

export const validatedPostBench: Bench = {
  name: 'validated-post',
  async run() {
    const bare = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), {
      logger: false,
    });
    await bare.listen(0, '127.0.0.1');
    const service = await startTestService({ NODE_ENV: 'production' });
    const workspace = await service.workspace();
    const body = JSON.stringify({
      agent_id: 1,
      parameters: { lookback_days: 999 },
      note: 'everything before the append',
    });
    const headers = { authorization: `Bearer ${workspace.apiKey}` };
    const rates = { bare: 0, ours: 0, wrong: 0, answered: 0 };
    // In turns, so that a machine that slows down slows both.
    for (let round = 0; round < ROUNDS; round += 1) {
      const plain = await requestsPerSecond(`${await bare.getUrl()}/bare`, body, {});
      const ours = await requestsPerSecond(`${service.url}/api/v2/workspace/signal-runs`, body, headers);
      rates.bare += plain.rate / ROUNDS;
      rates.ours += ours.rate / ROUNDS;
      rates.wrong += plain.wrong;
      rates.answered += ours.wrong;
    }
    await bare.close();
    await service.stop();
    return [
      {
        what: 'authenticated POST, body validated (and refused), before its append',
        measured: rates.ours,
        unit: 'requests/s',
        beside: 'H, a bare Nest + Fastify POST',
        besideValue: rates.bare,
        goal: { atLeast: 0.65 },
        proof: `${rates.answered} answered 400 as they must, ${rates.wrong} bare ones failed`,
      },
    ];
  },
};
