import { eventually } from '#test/projections/engine-fixture.js';
import type { Reply, ServiceProcess } from './service-process.js';

const RUNS = '/api/v2/workspace/signal-runs';

/** An agent that searches posts for a keyword, added by this process; returns its id. */
export async function agentAbout(keyword: string, service: ServiceProcess, apiKey: string): Promise<number> {
  const parameters = { tracking_keywords: [keyword] };
  const agent = { type: 'keyword_post_search', parameters };
  const added = await service.call(apiKey, 'POST /api/v2/agents', agent);
  if (added?.status !== 201) throw new Error(`no agent: ${JSON.stringify(added)}`);
  return added.body.data.id;
}

/** Launches an agent at this process, and returns its run once that has ended. */
export async function endedRun(
  { call }: ServiceProcess,
  apiKey: string,
  agent_id: number,
): Promise<NonNullable<Reply>['body']> {
  const launched = await call(apiKey, `POST ${RUNS}`, { agent_id });
  const polled = async () => (await call(apiKey, `GET ${RUNS}/${launched?.body[0].signal_request_id}`))?.body;
  await eventually(async () => (await polled())?.stage !== 'running');
  return polled();
}
