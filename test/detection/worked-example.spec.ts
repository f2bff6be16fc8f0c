import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { houseRoot } from '#test/house/house.js';
import { seeRunThrough } from '#test/support/signal-runs.js';
import { scene } from '#test/support/scene.js';

const PAGE = readFileSync(join(houseRoot, 'docs/detection.md'), 'utf8');
const example = PAGE.slice(PAGE.indexOf('## A worked example'));
const [lines = ''] = [...example.matchAll(/```ndjson\n([^]*?)```/g)].map(([, text = '']) => text);
const [setup, data, money] = [...example.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) =>
  JSON.parse(text),
);

describe('the worked example of docs/detection.md', () => {
  const service = scene({ at: '2026-01-10T10:00:00.000Z' });

  it('D-70 D-71 matches the answers of the service: the signal, its price and its entries', async () => {
    const workspace = await service.workspace({ credits: 100 });
    await workspace.call('POST /api/v2/personas', { job_title: ['CTO'], location: ['France'] });
    const observations: readonly object[] = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const taken = await service.ingest(observations);
    expect([observations.length, taken.body.accepted]).toEqual([3, 3]);
    const { status, body: made } = await workspace.call('POST /api/v3/signal-setups', setup);
    expect(status).toBe(201);
    await seeRunThrough(service, workspace, made.data.id);
    const { body: found } = await workspace.call('POST /api/v2/workspace/signals/query', {});
    expect(found.data).toHaveLength(1);
    expect(found.data[0].data).toEqual(data);
    const { body: why } = await workspace.call(`GET /api/v3/credits/movements/${found.data[0].movement_id}`);
    const { product, credits, status: end, entries } = why.data;
    const types = entries.map(({ type }: { readonly type: string }) => type);
    expect({ product, credits, status: end, entries: types }).toEqual(money);
  });
});
