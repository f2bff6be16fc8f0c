import { Inject, Module, type DynamicModule, type Type } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { creditHeaders } from '#http/credit-headers.js';
import { Endpoint, type OperatorRequest } from '#http/endpoint.js';
import { booleanQuery, integerQuery, oneOfQuery, textQuery, type QueryParameters } from '#http/parameters.js';
import { anyJson, byteStream } from '#http/raw-body.js';
import { reply } from '#http/reply.js';
import { textAnswer } from '#http/text-answer.js';
import type { TSchema } from '#kernel/values/schema.js';
import { observationSchema } from '#network/published-schema.js';
import { exportCommands, operatorCommands, streamCommands } from './operator-commands.js';
import type {
  ExportCommand,
  OperatorCommand,
  OperatorHost,
  StreamCommand,
} from '#ops/support/operator-command.js';
import {
  notedOutput,
  reportedCredits,
  requireRole,
  runNotedCommand,
  runExport,
  streamOptions,
} from '#ops/support/run-command.js';

const OPERATOR_HOST = Symbol('OperatorHost');
const METRICS = Symbol('Metrics');

const BODY_LIMIT_BYTES = 12 * 1024 * 1024;

function commandEndpoint(command: OperatorCommand): Type {
  @Endpoint({
    caller: 'operator',
    route: `POST /ops/${command.name}`,
    summary: command.summary,
    body: anyJson,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    response: notedOutput(command),
  })
  class CommandEndpoint {
    constructor(@Inject(OPERATOR_HOST) private readonly host: OperatorHost) {}

    async handle({ body, operator, requestId }: OperatorRequest<{ body: unknown }>) {
      const call = { operator, correlationId: requestId };
      const output = await runNotedCommand(this.host, command, body, call);
      const credits = reportedCredits(command, body, output);
      return credits === null ? output : reply(output, { headers: creditHeaders(credits) });
    }
  }
  return CommandEndpoint;
}

/** Query parameters from the schema of the options of a stream's command: integers, words and texts. */
function queryOf({ input }: StreamCommand): QueryParameters {
  if (input === undefined) return { strict: booleanQuery(422) };
  return Object.fromEntries(
    Object.entries<TSchema>(input.properties).map(([name, { type, enum: values, maxLength = 1_000 }]) => {
      if (type === 'integer')
        return [name, integerQuery({ minimum: 1, maximum: MAX_ID, otherwise: null, invalid: 422 })];
      if (Array.isArray(values)) return [name, oneOfQuery({ values, otherwise: null, invalid: 422 })];
      return [name, textQuery({ maximum: maxLength, invalid: 422 })];
    }),
  );
}

const MAX_ID = Number.MAX_SAFE_INTEGER;

function streamEndpoint(command: StreamCommand): Type {
  const streamQuery = queryOf(command);

  @Endpoint({
    caller: 'operator',
    route: `POST /ops/${command.name}`,
    summary: command.summary,
    query: streamQuery,
    body: byteStream({ mediaType: command.contentType, windowBytes: command.windowBytes }),
    response: command.output,
  })
  class StreamEndpoint {
    constructor(@Inject(OPERATOR_HOST) private readonly host: OperatorHost) {}

    handle({
      body,
      operator,
      query,
    }: OperatorRequest<{ body: AsyncIterable<Uint8Array>; query: typeof streamQuery }>) {
      requireRole(command, operator);
      const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
      return command.run(this.host, body, streamOptions(command, given), () => undefined, operator);
    }
  }
  return StreamEndpoint;
}

function exportEndpoint(command: ExportCommand): Type {
  @Endpoint({
    caller: 'operator',
    route: `POST /ops/${command.name}`,
    summary: command.summary,
    body: anyJson,
    bodyLimitBytes: BODY_LIMIT_BYTES,
  })
  class ExportEndpoint {
    constructor(@Inject(OPERATOR_HOST) private readonly host: OperatorHost) {}

    async handle({ body, operator }: OperatorRequest<{ body: unknown }>) {
      const { contentType, text } = runExport(this.host, command, body, operator);
      return textAnswer(contentType, await text);
    }
  }
  return ExportEndpoint;
}

@Endpoint({
  caller: 'operator',
  route: 'GET /metrics',
  summary: 'What this process measures, for Prometheus',
})
class MetricsEndpoint {
  constructor(@Inject(METRICS) private readonly metrics: Registry) {}

  async handle() {
    return textAnswer(this.metrics.contentType, [await this.metrics.metrics()]);
  }
}

@Endpoint({
  caller: 'operator',
  route: 'GET /observation.schema.json',
  summary: 'The JSON Schema of a line that `network.ingest` takes',
})
class ObservationSchemaEndpoint {
  handle() {
    return textAnswer('application/schema+json', [JSON.stringify(observationSchema())]);
  }
}

/** Every endpoint for operators: the commands from their declarations, the metrics and the schema of observations. */
export const operatorEndpoints: readonly Type[] = [
  ...operatorCommands.map(commandEndpoint),
  ...streamCommands.map(streamEndpoint),
  ...exportCommands.map(exportEndpoint),
  MetricsEndpoint,
  ObservationSchemaEndpoint,
];

@Module({})
export class OperatorModule {
  static with(host: OperatorHost, metrics: Registry, pages: readonly DynamicModule[]): DynamicModule {
    return {
      module: OperatorModule,
      imports: [...pages],
      controllers: [...operatorEndpoints],
      providers: [
        { provide: OPERATOR_HOST, useValue: host },
        { provide: METRICS, useValue: metrics },
      ],
    };
  }
}
