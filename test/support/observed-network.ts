import type { TestService, TestWorkspace } from './service.js';

/** Observations as `network.ingest` takes them; a test names only the relevant fields. */

export const observedCompany = (handle: string, facts: object = {}): object => ({
  kind: 'company',
  ref: `c:${handle}`,
  handle,
  domains: [`${handle}.com`],
  name: handle,
  ...facts,
});

export const observedPerson = (handle: string, facts: object = {}): object => ({
  kind: 'person',
  ref: `p:${handle}`,
  handle,
  first_name: handle,
  last_name: 'Roy',
  observed_at: '2026-01-01T00:00:00Z',
  ...facts,
});

/** A person who works at a company since 2024. */
export const employed = (company: string, title: string): object => ({
  experiences: [
    { title, company_ref: `c:${company}`, company_name: company, start_date: '2024-03', end_date: null },
  ],
});

/** The place of a person. */
export const IN_FRANCE = { geo: { city: 'Paris', country: 'France', country_code: 'FR' } };

export const observedPost = (name: string, author: string, text: string, publishedAt: string): object => ({
  kind: 'post',
  ref: `post:${name}`,
  author_ref: `p:${author}`,
  url: `https://www.network.example/posts/${name}`,
  text,
  published_at: publishedAt,
});

/** A comment of a person on a post. */
export const observedComment = (
  name: string,
  author: string,
  post: string,
  text: string,
  publishedAt: string,
): object => ({
  kind: 'comment',
  ref: `comment:${name}`,
  post_ref: `post:${post}`,
  author_ref: `p:${author}`,
  url: `https://www.network.example/posts/${post}?comment=${name}`,
  text,
  published_at: publishedAt,
});

export const observedReaction = (name: string, author: string, post: string, reactedAt: string): object => ({
  kind: 'reaction',
  ref: `reaction:${name}`,
  post_ref: `post:${post}`,
  author_ref: `p:${author}`,
  reaction: 'celebrate',
  reacted_at: reactedAt,
});

/** A keyword agent; returns its id. */
export async function keywordAgent(workspace: TestWorkspace, ...keywords: string[]): Promise<number> {
  const { body } = await workspace.call('POST /api/v2/agents', {
    type: 'keyword_post_search',
    parameters: { tracking_keywords: keywords },
  });
  return body.data.id;
}

/** Launches an agent or setup and waits for the end of its run; returns the run's id. */
export async function completedRun(
  service: TestService,
  workspace: TestWorkspace,
  agentId: number,
): Promise<number> {
  const { status, body } = await workspace.call('POST /api/v2/workspace/signal-runs', { agent_id: agentId });
  if (status !== 202) throw new Error(`no run: ${JSON.stringify(body)}`);
  await service.ops('work.drain');
  return body[0].signal_request_id;
}
