import { Module } from '@nestjs/common';
import { Type as ClassType } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, Min, ValidateNested } from 'class-validator';
import {
  cursorPageV2,
  cursorPageV3,
  CursorPageV2Of,
  CursorPageV3Of,
  DataOf,
  page,
  PageOf,
} from '#http/paging.js';
import { Cursors } from '#http/cursors.js';
import { Endpoint, type EndpointRequest } from '#http/endpoint.js';
import { IsFreeObject, IsId, IsNullable } from '#http/body.js';
import {
  booleanQuery,
  cursorQuery,
  idParam,
  instantQuery,
  limitQuery,
  offsetPage,
  oneOfParam,
} from '#http/parameters.js';
import { reply } from '#http/reply.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import { Id, Nullable, Type } from '#kernel/values/schema.js';

const Echo = Type.Object({ workspace_id: Id, body: Type.Unknown() });

class ThingBody {
  @IsString() @MaxLength(20) readonly name: string;
  @IsOptional() @IsInt() @Min(1) readonly size?: number;
  @IsOptional() @IsFreeObject() readonly parameters?: object;
  @IsOptional()
  @IsNullable()
  @ValidateNested({ each: true })
  @ClassType(() => PartBody)
  readonly parts?: readonly PartBody[] | null;
}

class PartBody {
  @IsId() readonly id: number;
}

@Endpoint({
  caller: 'apiKey',
  route: ['POST /api/v2/things', 'POST /api/v3/things'],
  summary: 'Echoes a thing',
  status: 201,
  body: ThingBody,
  response: Echo,
})
export class MakeThing {
  handle({ workspaceId, body }: EndpointRequest<{ body: ThingBody }>) {
    return { workspace_id: workspaceId, body };
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/runs',
  summary: 'Answers 400 for what is not valid',
  status: 202,
  body: ThingBody,
  invalidBody: 400,
  response: Echo,
})
export class MakeRun {
  handle({ workspaceId, body }: EndpointRequest<{ body: ThingBody }>) {
    return { workspace_id: workspaceId, body };
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/big',
  summary: 'Takes 12 MiB',
  body: ThingBody,
  bodyLimitBytes: 12 * 1024 * 1024,
  response: Type.Object({ parts: Type.Integer() }),
})
export class TakeBig {
  handle({ body }: EndpointRequest<{ body: ThingBody }>) {
    return { parts: body.parts?.length ?? 0 };
  }
}

const badId = { id: idParam(400) };
@Endpoint({
  caller: 'apiKey',
  route: ['GET /api/v2/leads/:id', 'GET /api/v3/setups/:id'],
  summary: 'An id whose syntax is a 400',
  params: badId,
  response: DataOf(Type.Object({ id: Id })),
})
export class GetLead {
  handle({ params }: EndpointRequest<{ params: typeof badId }>) {
    return { data: { id: params.id } };
  }
}

const hiddenId = { kind: oneOfParam(['company', 'profile'], 404), list_id: idParam(404) };
@Endpoint({
  caller: 'apiKey',
  route: 'DELETE /api/v2/lists/:kind/:list_id',
  summary: 'An id whose syntax is a 404',
  status: 204,
  params: hiddenId,
})
export class DeleteList {
  handle(_request: EndpointRequest<{ params: typeof hiddenId }>) {}
}

const agentsPage = { paging: offsetPage({ size: 10, maximum: 25, invalid: 422 }) };
@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/agents',
  summary: 'A page with 422',
  query: agentsPage,
  response: PageOf(Type.Object({ id: Id })),
})
export class ListAgents {
  handle({ query }: EndpointRequest<{ query: typeof agentsPage }>) {
    return pageOf(23, query.paging);
  }
}

const setupsPage = {
  paging: offsetPage({ invalid: 400 }),
  include_archived: booleanQuery(400),
  date_from: instantQuery(400),
};
@Endpoint({
  caller: 'apiKey',
  route: ['GET /api/v3/setups', 'GET /api/v2/mappings'],
  summary: 'A page with 400',
  query: setupsPage,
  response: PageOf(Type.Object({ id: Id })),
})
export class ListSetups {
  handle({ query }: EndpointRequest<{ query: typeof setupsPage }>) {
    return pageOf(0, query.paging);
  }
}

function pageOf(total: number, request: { page: number; pageSize: number; skip: number }) {
  const rows = Array.from({ length: total }, (_row, index) => ({ id: index + 1 }));
  return page(rows.slice(request.skip, request.skip + request.pageSize), total, request);
}

const usageQuery = { cursor: cursorQuery(), limit: limitQuery(), date_from: instantQuery(400) };
const cursors = new Cursors('secret of the fixture');
@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/usage',
  summary: 'Cursor in the query',
  query: usageQuery,
  response: CursorPageV3Of(Type.Object({ id: Id })),
})
export class GetUsage {
  handle({ query, workspaceId }: EndpointRequest<{ query: typeof usageQuery }>) {
    const filters = { date_from: query.date_from?.at.toISOString() ?? null };
    const scope = { endpoint: 'usage', workspaceId, filters };
    const after =
      query.cursor === null ? 0 : cursors.decode(query.cursor, scope, 'was issued for other dates').keys[0];
    const rows = rowsAfter(Number(after), query.limit);
    return cursorPageV3(rows, cursorAfter(rows, scope));
  }
}

class SignalsBody {
  @IsOptional() @IsString() readonly cursor?: string;
}

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/signals/query',
  summary: 'Cursor in the body',
  body: SignalsBody,
  invalidBody: 400,
  response: CursorPageV2Of(Type.Object({ id: Id })),
})
export class QuerySignals {
  handle({ body, workspaceId }: EndpointRequest<{ body: SignalsBody }>) {
    const scope = { endpoint: 'signals', workspaceId, filters: {} };
    const after = body.cursor === undefined ? 0 : cursors.decode(body.cursor, scope).keys[0];
    const rows = rowsAfter(Number(after), 25);
    return cursorPageV2(rows, cursorAfter(rows, scope));
  }
}

function cursorAfter(rows: readonly { readonly id: number }[], scope: Parameters<Cursors['encode']>[0]) {
  const last = rows.at(-1)?.id ?? 0;
  return last === 60 ? null : cursors.encode(scope, { keys: [last] });
}

function rowsAfter(id: number, limit: number) {
  return Array.from({ length: 60 }, (_row, index) => ({ id: index + 1 }))
    .filter((row) => row.id > id)
    .slice(0, limit);
}

const unpayable = refusal({
  code: 'insufficient-credits',
  kind: 'unpayable',
  detail: 'The balance does not cover one match.',
});
const refusals = {
  unacceptable: refusal({ code: 'a', kind: 'unacceptable', detail: 'Not acceptable.' }),
  unpayable,
  forbidden: refusal({
    code: 'quota',
    kind: 'forbidden',
    slug: 'top-account-quota-exceeded',
    detail: 'Over the quota.',
  }),
  missing: refusal({ code: 'c', kind: 'missing', detail: 'No such agent.' }),
  conflicting: refusal({
    code: 'd',
    kind: 'conflicting',
    title: 'List not available',
    detail: 'Attached elsewhere.',
  }),
  unprocessable: refusal({
    code: 'persona-incomplete',
    kind: 'unprocessable',
    slug: 'persona-incomplete',
    title: 'Persona incomplete',
    detail: 'The persona has no job title.',
  }),
};
const faults = ['store', 'bug', 'wrong-answer', 'rows', ...Object.keys(refusals)] as const;
const whatFails = { what: oneOfParam(faults, 404) };

@Endpoint({
  caller: 'apiKey',
  route: ['GET /api/v2/fail/:what', 'GET /api/v3/fail/:what'],
  summary: 'Fails',
  params: whatFails,
  response: Type.Object({ ok: Type.Boolean() }),
  problems: [unpayable],
})
export class Fail {
  handle({ params }: EndpointRequest<{ params: typeof whatFails }>) {
    switch (params.what) {
      case 'store':
        throw new StoreUnavailable('connect ECONNREFUSED 10.0.0.7:2113');
      case 'bug':
        throw new TypeError('secret-internal-name is not a function');
      case 'wrong-answer':
        return JSON.parse('{"ok":"yes"}');
      case 'rows':
        throw refusals.unprocessable({
          members: { data: [], errors: [{ input: {}, code: 'x', message: 'y' }] },
        });
      case 'unpayable':
        throw unpayable({
          members: { credits_required: 10, credits_available: 2.5, credits_held: 0, status: 200 },
        });
      case 'conflicting':
        throw refusals.conflicting({ errors: fieldError('list_id', 'is attached to another persona') });
      default: {
        const known = Object.entries(refusals).find(([kind]) => kind === params.what);
        if (known === undefined) throw new Error('the fixture does not know it');
        throw known[1]();
      }
    }
  }
}

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/persona',
  summary: 'Deprecated',
  response: DataOf(Nullable(Type.String())),
  deprecated: { successor: '/api/v2/personas' },
})
export class GetPersona {
  handle() {
    return reply({ data: null }, { headers: { 'X-Extra': 'yes' } });
  }
}

const oldPlace = { kind: oneOfParam(['company', 'profile'], 404), list_id: idParam(404) };
@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/watchlists/:kind/:list_id',
  summary: 'Deprecated from the beginning, with a successor of its own for each',
  params: oldPlace,
  response: DataOf(Type.Object({ id: Id })),
  deprecated: { successor: '/api/v2/lists/:kind/:list_id' },
})
export class GetWatchlist {
  handle({ params }: EndpointRequest<{ params: typeof oldPlace }>) {
    return { data: { id: params.list_id } };
  }
}

@Endpoint({ caller: 'apiKey', route: 'GET /api/v2/context', summary: 'Who asks', response: Type.Unknown() })
export class GetContext {
  handle({ context, apiKeyId, requestId }: EndpointRequest) {
    return { context, api_key_id: apiKeyId, request_id: requestId };
  }
}

@Module({
  controllers: [
    MakeThing,
    MakeRun,
    TakeBig,
    GetLead,
    DeleteList,
    ListAgents,
    ListSetups,
    GetUsage,
    QuerySignals,
    Fail,
    GetPersona,
    GetWatchlist,
    GetContext,
  ],
})
export class FixtureModule {}
