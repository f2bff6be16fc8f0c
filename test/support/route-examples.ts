import { createHash } from 'node:crypto';
import type { RouteExamples } from '#http/openapi.js';
import { apiDocument } from './declared-answers.js';
import { furnish, ownPath, routes, validBody, type OwnedIds, type WalkedRoute } from './every-route.js';
import { keywordAgent } from './observed-network.js';
import { launchRun } from './signal-runs.js';
import { startTestService, type TestService, type TestWorkspace } from './service.js';

/** Routes without examples: the document that contains them, and its page. */
const WITHOUT = new Set(['/openapi.json', '/docs', '/docs/viewer.js', '/docs/plain']);

const CANCEL = '/cancel';
const RANKS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The requests and answers of every route by a service with one object of every kind; the same each time, so that a
 * difference shows a change of the API.
 */
export async function recordExamples(): Promise<RouteExamples> {
  const service = await startTestService({ CLOCK: 'manual', CURSOR_SECRET: 'secret of the examples' });
  try {
    await service.ops('clock.set', { now: '2026-06-01T10:00:00.000Z' });
    let house = await furnished(service);
    const examples: Record<string, object> = {};
    for (const route of inOrder(routes.filter(({ path }) => !WITHOUT.has(path)))) {
      if (route.path.endsWith(CANCEL)) house = await withRunInProgress(service, house);
      let asked = await ask(route, house);
      // an earlier example deleted its object
      if (asked.status >= 300) asked = await ask(route, (house = await furnished(service)));
      const { status, request, body } = asked;
      if (status >= 300) throw new Error(`${route.method} ${route.path}: ${status} ${JSON.stringify(body)}`);
      examples[`${route.method} ${route.path}`] = {
        ...(request === undefined ? {} : { request }),
        ...(body === null ? {} : { response: inShort(body) }),
      };
    }
    return withoutChance(
      Object.fromEntries(Object.entries(examples).sort(([left], [right]) => (left < right ? -1 : 1))),
    );
  } finally {
    await service.stop();
  }
}

/** The most days of a forecast: enough for an example. */
const MOST_DAYS = 3;

/** An answer without 90 similar days. */
function inShort(body: { readonly data?: { readonly days?: unknown } }): object {
  const { data } = body;
  if (!Array.isArray(data?.days)) return body;
  return { ...body, data: { ...data, days: data.days.slice(0, MOST_DAYS) } };
}

const CHANCE =
  /"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|quote_[\w-]{60,}|evt_[0-9a-f]{32}_\d+)"/g;

/** Ids and hashes differ between recordings: each is replaced by one of its number. */
function withoutChance(examples: Readonly<Record<string, object>>): RouteExamples {
  const numbers = new Map<string, number>();
  const text = JSON.stringify(examples)
    .replace(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw0x3kRXm0Vbs=')
    .replace(/"at":"[^"]*","outcome"/g, '"at":"2026-06-01T10:00:00.000Z","outcome"')
    .replace(/"duration_ms":\d+/g, '"duration_ms":87')
    .replace(/"previous_valid_until":"[^"]*"/g, '"previous_valid_until":"2026-06-02T10:00:00.000Z"')
    .replace(CHANCE, (_quoted, found: string) => {
      const number = numbers.get(found) ?? numbers.size + 1;
      numbers.set(found, number);
      const hash = createHash('sha256').update(`example ${number}`).digest('hex');
      if (found.length === 64) return `"${hash}"`;
      if (found.startsWith('quote_')) return `"quote_${hash}"`;
      if (found.startsWith('evt_')) return `"evt_${hash.slice(0, 32)}_0"`;
      return `"01a20507-aa7d-7000-8000-${String(number).padStart(12, '0')}"`;
    });
  return JSON.parse(text) as RouteExamples;
}

type House = { readonly workspace: TestWorkspace; readonly owned: OwnedIds };

/** No worker runs after this launch: examples that need a worker come before. */
async function withRunInProgress(service: TestService, { workspace, owned }: House): Promise<House> {
  await service.service.host.runner.stop();
  const { body } = await launchRun(workspace, await keywordAgent(workspace, 'crm'));
  return { workspace, owned: { ...owned, '/api/v2/workspace/signal-runs/': body[0].signal_request_id } };
}

async function furnished(service: TestService): Promise<House> {
  const workspace = await service.workspace();
  return { workspace, owned: await furnish(service, workspace) };
}

async function ask(route: WalkedRoute, { workspace, owned }: House) {
  const request = validBody(route, owned);
  const { status, body } = await workspace.call(
    `${route.method} ${ownPath(owned, route.path)}${shortPage(route)}`,
    request,
  );
  return { status, request, body };
}

/** Reads while everything exists, restores after deletions, and stops of work after all of it. */
function inOrder(walked: readonly WalkedRoute[]): readonly WalkedRoute[] {
  const rank = ({ method, path }: WalkedRoute): number =>
    path.endsWith(CANCEL)
      ? RANKS.length + 1
      : path.endsWith('/restore')
        ? RANKS.length
        : RANKS.indexOf(method);
  return walked.toSorted((left, right) => rank(left) - rank(right));
}

/** Two rows show as much as a full page. */
function shortPage({ method, path }: WalkedRoute): string {
  const operation = apiDocument().paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const names = operation?.parameters.map(({ name }) => name) ?? [];
  if (names.includes('page_size')) return '?page_size=2';
  return names.includes('limit') ? '?limit=2' : '';
}
