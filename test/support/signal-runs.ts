import type { Answer, TestService, TestWorkspace } from './service.js';

/** Calls for signal setups and their runs, over HTTP. */

export const KEYWORD_TEMPLATE = 'mentioned-keywords-on-network';

export const launchRun = (
  workspace: TestWorkspace,
  agentId: unknown,
  parameters?: unknown,
): Promise<Answer> =>
  workspace.call('POST /api/v2/workspace/signal-runs', {
    agent_id: agentId,
    ...(parameters === undefined ? {} : { parameters }),
  });

export const pollRun = (workspace: TestWorkspace, runId: unknown): Promise<Answer> =>
  workspace.call(`GET /api/v2/workspace/signal-runs/${String(runId)}`);

/** Launches, does all due work, and returns the polled runs, one for each direction. */
export async function seeRunsThrough(
  service: TestService,
  workspace: TestWorkspace,
  agentId: number,
  parameters?: object,
): Promise<Answer['body'][]> {
  const { status, body } = await launchRun(workspace, agentId, parameters);
  if (status !== 202) throw new Error(`no run: ${JSON.stringify(body)}`);
  const drained = await service.ops('work.drain');
  if (drained.status !== 200) throw new Error(`not drained: ${JSON.stringify(drained.body)}`);
  const runIds: readonly unknown[] = body.map((run: Answer['body']) => run.signal_request_id);
  return Promise.all(
    runIds.map(async (runId) => {
      const polled = await pollRun(workspace, runId);
      if (polled.status !== 200) throw new Error(`run ${String(runId)}: ${JSON.stringify(polled.body)}`);
      return polled.body;
    }),
  );
}

/** The same for a launch with one direction, or the first run of another. */
export const seeRunThrough = async (...asked: Parameters<typeof seeRunsThrough>): Promise<Answer['body']> =>
  (await seeRunsThrough(...asked))[0];

/** Ids of the templates by key, including upcoming ones. */
export async function templateIdsOf(workspace: TestWorkspace): Promise<ReadonlyMap<string, number>> {
  const all = 'GET /api/v3/signal-templates?page_size=100&include_coming_soon=true';
  const templates: readonly { readonly key: string; readonly id: number }[] = (await workspace.call(all)).body
    .data;
  return new Map(templates.map(({ key, id }) => [key, id]));
}

/** A setup of a template by its key; returns its id. */
export async function signalSetup(
  workspace: TestWorkspace,
  key: string,
  parameters: object,
): Promise<number> {
  const id = (await templateIdsOf(workspace)).get(key);
  const created = await workspace.call('POST /api/v3/signal-setups', { signal_template_id: id, parameters });
  if (created.status !== 201) throw new Error(`no setup: ${JSON.stringify(created.body)}`);
  return created.body.data.id;
}

/** The detections of a workspace as the v2 query returns them, every page, newest first. */
export async function detectionsOf(workspace: TestWorkspace, filter: object = {}): Promise<Answer['body'][]> {
  const rows: Answer['body'][] = [];
  for (let cursor: string | null = null; ;) {
    const { status, body } = await workspace.call('POST /api/v2/workspace/signals/query', {
      limit: 100,
      ...filter,
      ...(cursor === null ? {} : { cursor }),
    });
    if (status !== 200) throw new Error(`no detections: ${JSON.stringify(body)}`);
    rows.push(...body.data);
    cursor = body.meta.next_cursor;
    if (cursor === null) return rows;
  }
}

/** The movements of a workspace, every page, newest first. */
export async function movementsOf(workspace: TestWorkspace): Promise<Answer['body'][]> {
  const rows: Answer['body'][] = [];
  for (let cursor: string | null = null; ;) {
    const query = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await workspace.call(`GET /api/v3/usage?limit=100${query}`);
    rows.push(...body.data);
    cursor = body.meta.cursor.next;
    if (cursor === null) return rows;
  }
}

export const balanceOf = async (workspace: TestWorkspace): Promise<Answer['body']> =>
  (await workspace.call('GET /api/v3/credits/balance')).body.data;

/** Names of posts that `observedPost` made, as detections show them. */
export const postNames = (detections: readonly { readonly source_url: string }[]): readonly string[] =>
  detections.map(({ source_url }) => source_url.replace(/^.*\//, '')).sort();
