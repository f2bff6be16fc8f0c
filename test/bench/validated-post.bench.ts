import 'reflect-metadata';
import { openSync } from 'node:fs';
import autocannon from 'autocannon';
import { Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Registry } from 'prom-client';
import { hashApiKey } from '#kernel/values/api-key.js';
import { Type } from '#kernel/values/schema.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { apiKeyAuthentication } from '#http/authentication.js';
import { createHttpApp } from '#http/http-app.js';
import { createLogger } from '#http/log.js';
import { logOutput } from '#http/log-output.js';
import { createRequestMetrics } from '#http/metrics.js';
import { LaunchSignalRunBody } from '#apps/api/src/signals/signal-runs/signal-run.body.js';
import type { Bench } from './bench.js';

const CONNECTIONS = 50;
const SECONDS = 4;
const ROUNDS = 3;
const API_KEY = `wsk_bench_${'a'.repeat(43)}`;

@Controller()
class BareController {
  @Post('/bare')
  @HttpCode(202)
  handle() {
    return [{ signal_request_id: 1, stage: 'running' }];
  }
}

@Module({ controllers: [BareController] })
class BareModule {}

/** Every stage of a command before its decision: route, key, body, checks, answer, log, metrics. */
@Endpoint({
  caller: 'apiKey',
  route: 'POST /validated',
  summary: 'All but the append',
  status: 202,
  invalidBody: 400,
  body: LaunchSignalRunBody,
  response: Type.Array(Type.Object({ signal_request_id: Type.Integer(), stage: Type.String() })),
})
class ValidatedEndpoint {
  handle({ body }: EndpointRequest<{ body: LaunchSignalRunBody }>) {
    return [{ signal_request_id: body.agent_id ?? 0, stage: 'running' }];
  }
}

@Module({ controllers: [ValidatedEndpoint] })
class ValidatedModule {}

async function startValidated() {
  const keyHash = hashApiKey(API_KEY);
  const app = await createHttpApp({
    rootModule: ValidatedModule,
    callers: {
      apiKey: apiKeyAuthentication(
        { find: async (hash) => (hash === keyHash ? { workspaceId: 1, keyId: 1 } : null) },
        5_000,
      ),
    },
    readiness: { report: async () => ({ ready: true, degraded: [], reasons: [] }) },
    logger: createLogger('info', logOutput(openSync('/dev/null', 'w'))),
    metrics: createRequestMetrics(new Registry()),
    docsUrl: 'https://docs.example.test',
    // on, and never reached: its cost is measured too
    rateLimit: { requestsPerSecond: 999_999, burst: 999_999 },
    claims: () => Promise.reject(new Error('no request has a key')),
  });
  const { url } = await app.listen(0, '127.0.0.1');
  return { url, close: app.close };
}

type Rate = { readonly rate: number; readonly good: number; readonly bad: number };

async function requestsPerSecond(url: string, body: string): Promise<Rate> {
  const result = await autocannon({
    url,
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${API_KEY}` },
    connections: CONNECTIONS,
    duration: SECONDS,
    workers: 1,
  });
  return { rate: result.requests.average, good: result['2xx'], bad: result.non2xx + result.errors };
}

export const validatedPostBench: Bench = {
  name: 'validated-post',
  async run() {
    const bare = await NestFactory.create<NestFastifyApplication>(BareModule, new FastifyAdapter(), {
      logger: false,
    });
    await bare.listen(0, '127.0.0.1');
    const validated = await startValidated();
    const body = JSON.stringify({ agent_id: 7, parameters: { lookback_days: 30 } });
    const sums = { bare: 0, ours: 0, good: 0, bad: 0 };
    // In turns, so that a slow machine affects both.
    for (let round = 0; round < ROUNDS; round += 1) {
      const plain = await requestsPerSecond(`${await bare.getUrl()}/bare`, body);
      const ours = await requestsPerSecond(`${validated.url}/validated`, body);
      sums.bare += plain.rate / ROUNDS;
      sums.ours += ours.rate / ROUNDS;
      sums.good += ours.good;
      sums.bad += ours.bad + plain.bad;
    }
    await bare.close();
    await validated.close();
    return [
      {
        what: 'authenticated, validated POST before its append (log lines and metrics on)',
        measured: sums.ours,
        unit: 'requests/s',
        beside: 'H, a bare Nest + Fastify POST',
        besideValue: sums.bare,
        goal: { atLeast: 0.7 },
        proof: `${sums.good} answered 202, ${sums.bad} otherwise`,
      },
    ];
  },
};
