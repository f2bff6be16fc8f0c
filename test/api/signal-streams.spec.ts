import { streamSignals } from '#apps/api/src/signals/signals/signal-page.js';
import { Cursors } from '#http/cursors.js';
import type { SignalWindow } from '#apps/api/src/signals/signals/signal-window.js';
import {
  keywordAgent,
  observedCompany,
  observedPerson,
  observedPost,
} from '#test/support/observed-network.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import { unfiltered } from '#test/support/sample-signal-filter.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';

const V2 = '/api/v2/workspace/signals/query';
const V3 = '/api/v3/signals/query';
const POSTS = 1_100;

describe('SIG-49 signals as a stream of lines', () => {
  const now = Date.now();
  const service = scene({
    network: [
      observedCompany('acme'),
      observedPerson('ana'),
      ...Array.from({ length: POSTS }, (_, index) =>
        observedPost(`${index}`, 'ana', '=crm, "quoted"', new Date(now - 60_000 * (index + 1)).toISOString()),
      ),
    ],
  });
  const workspace = sharedWorkspace(service, { credits: 50_000 }, async (own) =>
    own.run(await keywordAgent(own, 'crm')),
  );

  async function stream(path: string, accept: string, body: object = {}) {
    const answer = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.apiKey}`, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    });
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      next: answer.headers.get('next-cursor'),
      text: await answer.text(),
    };
  }
  const rowsIn = (text: string): readonly object[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  /** Every row by pages of JSON. */
  async function paged(path: string): Promise<readonly object[]> {
    const rows: object[] = [];
    for (let cursor: string | undefined; ;) {
      const { body } = await workspace.call(`POST ${path}`, { limit: 100, ...(cursor && { cursor }) });
      rows.push(...body.data);
      cursor = body.meta.next_cursor ?? body.meta.cursor?.next ?? undefined;
      if (cursor === undefined) return rows;
    }
  }

  it('has the rows of the pages in their order, to the last', async () => {
    for (const path of [V2, V3]) {
      const { status, type, next, text } = await stream(path, 'application/x-ndjson');
      expect([path, status, type, next]).toEqual([path, 200, 'application/x-ndjson', null]);
      const rows = rowsIn(text);
      expect(rows).toEqual(await paged(path));
      if (path === V2) expect(rows).toHaveLength(POSTS);
    }
  });

  /** Everything of the workspace, from a cursor on. */
  const wholeQuery = (cursor?: string) => ({
    endpoint: 'test',
    workspaceId: workspace.id,
    body: cursor === undefined ? {} : { cursor },
    windowOf: () => ({ signalFrom: null, signalTo: null, detectedFrom: null, detectedTo: null }),
    filterOf: async (window: SignalWindow) => unfiltered({ workspaceId: workspace.id, window }),
  });

  it('ends at the limit, and Next-Cursor continues, with a stream or with pages', async () => {
    const whole = rowsIn((await stream(V2, 'application/x-ndjson')).text);
    const first = await stream(V2, 'application/x-ndjson', { limit: 100 });
    expect(rowsIn(first.text)).toEqual(whole.slice(0, 100));
    const rest = await stream(V2, 'application/x-ndjson', { cursor: first.next });
    expect([rowsIn(rest.text), rest.next]).toEqual([whole.slice(100), null]);
    const page = await workspace.call(`POST ${V2}`, { cursor: first.next, limit: 3 });
    expect(page.body.data).toEqual(whole.slice(100, 103));
  });

  it('stops at the maximum of one request, at any place of a page', async () => {
    const { readModels } = service.service.host;
    const cursors = new Cursors('a secret for the cursors of this test');
    for (const most of [1, 499, 500, 501, 1_000, POSTS - 1, POSTS, POSTS + 1]) {
      const ids: number[] = [];
      let cursor: string | undefined;
      let requests = 0;
      do {
        const { pages, next } = await streamSignals(readModels, cursors, wholeQuery(cursor), most);
        let count = 0;
        for await (const rows of pages) {
          count += rows.length;
          ids.push(...rows.map(({ id }) => id));
        }
        expect([most, count <= most]).toEqual([most, true]);
        cursor = next ?? undefined;
        requests += 1;
      } while (cursor !== undefined && requests < 4);
      const asked = Math.min(POSTS, most * 4);
      expect([most, ids.length, new Set(ids).size]).toEqual([most, asked, asked]);
    }
  });

  it('SIG-49 ends at its limit also if rows are added while it begins', async () => {
    const cursors = new Cursors('a secret');
    const { readModels } = service.service.host;
    let reads = 0;
    /** From the second read on there are three rows more than at the first. */
    const growing = new Proxy(readModels, {
      get: (models, name) =>
        name !== 'find'
          ? Reflect.get(models, name)
          : async (...[view, query]: Parameters<ReadModels['find']>) => {
              reads += 1;
              const isNew = reads === 1 && query.after === undefined;
              const found = await models.find(view, isNew ? { ...query, skip: 3 } : query);
              return found;
            },
    });
    const { pages, next } = await streamSignals(growing, cursors, wholeQuery(), 2);
    let count = 0;
    for await (const rows of pages) count += rows.length;
    expect([count, next]).toEqual([2, expect.any(String)]);
  });

  it('is the type that the caller prefers by its weights', async () => {
    const types: string[] = [];
    for (const accept of [
      'text/csv, application/json',
      'application/json, text/csv',
      'application/x-ndjson;q=0.1, application/json',
      'text/csv;q=0.5, application/x-ndjson;q=0.9',
      'text/csv, */*',
      '*/*, text/csv',
      'text/csv;q=0.5, */*',
      'text/csv;q=0.5, application/*',
      'text/csv;q=0.5, application/json;q=0.1, */*',
      'text/csv;q=0, application/json;q=0',
      'text/*',
    ]) {
      const { type } = await stream(V2, accept, { limit: 1 });
      types.push(`${accept}: ${type?.split(';')[0]}`);
    }
    expect(types).toEqual([
      'text/csv, application/json: text/csv',
      'application/json, text/csv: application/json',
      'application/x-ndjson;q=0.1, application/json: application/json',
      'text/csv;q=0.5, application/x-ndjson;q=0.9: application/x-ndjson',
      'text/csv, */*: text/csv',
      '*/*, text/csv: text/csv',
      'text/csv;q=0.5, */*: application/json',
      'text/csv;q=0.5, application/*: application/json',
      'text/csv;q=0.5, application/json;q=0.1, */*: text/csv',
      'text/csv;q=0, application/json;q=0: application/json',
      'text/*: application/json',
    ]);
  });

  it('is CSV with one column per member, in which no foreign text is a formula', async () => {
    const { type, text } = await stream(V2, 'text/csv', { limit: 2 });
    expect(type).toBe('text/csv; charset=utf-8');
    const [head = '', ...lines] = text.split('\r\n');
    expect(head.split(',').slice(0, 3)).toEqual(['id', 'signal_type', 'data']);
    expect(head).toContain('author.');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(`"'=crm, ""quoted"""`);
    const v3 = (await stream(V3, 'text/csv')).text.split('\r\n')[0];
    expect(v3).toContain('lead.full_name,lead.title');
  });

  it('refuses like the pages, with a problem document', async () => {
    for (const body of [{ cursor: 'none of ours' }, { limit: 0 }]) {
      const { status, type, text } = await stream(V2, 'text/csv', body);
      expect([status, type?.split(';')[0]]).toEqual([400, 'application/problem+json']);
      expect(JSON.parse(text)).toMatchObject({ status: 400 });
    }
  });
});
