import { DAY_MS, MINUTE_MS } from '#kernel/values/durations.js';
import { createServer } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { renderTable } from '../print-result.js';
import { agree } from './agreement.js';
import { runToItsEnd, type Scene } from './demo-run.js';
import type { DemoService, Json } from './demo-service.js';
import { listenLocally, type LocalServer } from './local-server.js';

const COMPANY = 'harbour-labs.example';
const PRICE = 10;
const LOOK_EVERY_MS = 50;
const POLLED_WITHIN_MS = MINUTE_MS;

/** Adds a job board, a feed and a local file as sources; shows their signals, paid and with their source. */
export async function readSources(service: DemoService, say: (text?: string) => void): Promise<void> {
  const { now } = await service.operator('clock.advance', { duration: 'PT1S' });
  const provider = await startProvider(new Date(now));
  try {
    const { source_id: boardId } = await service.operator('source.add', {
      url: 'https://boards.greenhouse.io/harbour-labs',
      base_url: provider.origin,
      domain: COMPANY,
      name: 'Jobs at Harbour Labs',
    });
    const { source_id: feedId } = await service.operator('source.add', {
      url: `${provider.origin}/feed`,
      domain: COMPANY,
      name: 'News of Harbour Labs',
    });
    // Other workspaces of the demo share the file.
    const { source_id: fileId } = await service.operator('source.add', {
      url: await exportOf(provider.folder),
      mapping: MAPPING,
      shared: true,
      name: 'People of the CRM',
    });
    const polled = await whenPolled(service, [boardId, feedId, fileId]);
    agree('items of the board', polled[0]?.new, 2);
    agree('items of the feed', polled[1]?.new, 1);
    agree('rows of the file', polled[2]?.new, 2);
    const { workspace_id: workspaceId, api_key: apiKey } = await service.operator('workspace.create', {
      name: 'Demo of sources',
      credits: 100,
    });
    const scene: Scene = { service, workspaceId, apiKey };
    const found = await signalsOf(scene);
    agree('signals of sources', found.length, 1);
    const again = await runToItsEnd(scene, found[0]?.agent_id);
    agree('cost of the same again', again.spent, 0);
    const { data } = await service.api(apiKey, 'GET /api/v3/credits/balance');
    agree('balance after one signal', data.balance, 100 - PRICE);
    say();
    say(`Sources on this machine, added with "source add" and polled by themselves:`);
    say(
      renderTable(
        polled.map((source: Json) => ({
          source: source.name,
          kind: source.kind,
          items: source.items,
          new: source.new,
          next_poll: String(source.next_poll).slice(0, 16),
        })),
      ),
    );
    for (const { data: signal, credits, provenance } of found) {
      const [read] = provenance;
      agree('source of the signal', read?.name, 'Jobs at Harbour Labs');
      say(`1 signal from them: "${signal.job_posting.title}" for ${credits} credits.`);
      say(`Its source: ${read?.name} (${read?.kind}), ${read?.url}, read at ${read?.read_at}.`);
    }
  } finally {
    await provider.close();
  }
}

async function signalsOf({ service, workspaceId, apiKey }: Scene): Promise<readonly Json[]> {
  const templates = await service.api(apiKey, 'GET /api/v3/signal-templates?page_size=100');
  const template = templates.data.find(({ key }: Json) => key === 'new-job-posting');
  const setup = await service.api(apiKey, 'POST /api/v3/signal-setups', {
    signal_template_id: template.id,
    name: 'Jobs of pilots',
    parameters: { job_titles: ['harbour pilot'], locations: [] },
  });
  await runToItsEnd({ service, workspaceId, apiKey }, setup.data.id);
  const { data } = await service.api(apiKey, 'POST /api/v2/workspace/signals/query', {
    limit: 10,
    agent_id: setup.data.id,
  });
  return data;
}

/** The sources, once each was polled. */
async function whenPolled(service: DemoService, ids: readonly number[]): Promise<readonly Json[]> {
  const deadline = Date.now() + POLLED_WITHIN_MS;
  for (;;) {
    const { sources } = await service.operator('source.list', {});
    const own = sources.filter(({ source_id: id }: Json) => ids.includes(id));
    const failed = own.find(({ error }: Json) => error !== null);
    if (failed !== undefined) throw new Error(`source ${failed.source_id}: ${failed.error}`);
    if (own.length === ids.length && own.every(({ last_poll: at }: Json) => at !== null)) return own;
    if (Date.now() > deadline) throw new Error('the sources were not polled');
    await delay(LOOK_EVERY_MS);
  }
}

/** A provider of job boards and a feed, on a free local port. */
async function startProvider(now: Date): Promise<LocalServer & { readonly folder: string }> {
  const yesterday = new Date(now.getTime() - DAY_MS);
  const answers = new Map([
    ['/v1/boards/harbour-labs/jobs?content=true', boardOf(yesterday)],
    ['/feed', feedOf(yesterday)],
  ]);
  const server = await listenLocally(
    createServer((request, response) => {
      const body = answers.get(request.url ?? '');
      response.writeHead(body === undefined ? 404 : 200).end(body);
    }),
  );
  const folder = await mkdtemp(join(tmpdir(), 'demo-sources-'));
  return {
    folder,
    origin: server.origin,
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The meanings of the file's columns. */
const MAPPING = {
  kind: 'person',
  id: 'Record ID',
  columns: { first_name: 'First name', last_name: 'Last name', title: 'Job title', company_name: 'Company' },
};

async function exportOf(folder: string): Promise<string> {
  const path = join(folder, 'people.csv');
  const rows = ['1,Ines,Harbour,Pilot,Harbour Labs', '2,Tom,Mole,"Head of sales, EMEA",Harbour Labs'];
  await writeFile(path, ['Record ID,First name,Last name,Job title,Company', ...rows, ''].join('\n'));
  return path;
}

const boardOf = (postedAt: Date): string =>
  JSON.stringify({
    jobs: ['Harbour pilot', 'Gardener'].map((title, index) => ({
      id: index + 1,
      title,
      content: `&lt;p&gt;You are our next ${title.toLowerCase()}.&lt;/p&gt;`,
      absolute_url: `https://boards.greenhouse.io/harbour-labs/jobs/${index + 1}`,
      first_published: postedAt.toISOString(),
      location: { name: 'Rotterdam, Netherlands' },
    })),
    meta: { total: 2 },
  });

const feedOf = (postedAt: Date): string =>
  `<rss version="2.0"><channel><title>News</title><item><guid isPermaLink="false">1</guid><title>We open a pilot
  station</title><pubDate>${postedAt.toUTCString()}</pubDate></item></channel></rss>`;
