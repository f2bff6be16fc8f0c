import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { executeSignalRun } from '#processes/execute-signal-run.process.js';
import { detections } from '#projections/detections/detections.projection.js';
import { embeddedStores, openSignalHouse } from '../support/signal-house.js';
import type { Bench } from './bench.js';

const MATCHES = 2_000;
/** Documents that a paid detection of a run of this size had written when they were first counted. */
const EARLIER_DOCUMENTS = 10.2;
const NEVER = new AbortController().signal;

/** What one paid detection of somebody new costs the read models, in the middle of a run. */
export const paidDetectionBench: Bench = {
  name: 'paid-detection',
  async run() {
    let documents = 0;
    let writtenMs = 0;
    const counted = (reads: ReadStore): ReadStore => ({
      ...reads,
      async write(writes, fence) {
        documents += writes.reduce((sum, write) => sum + write.documents.length, 0);
        const startedAt = performance.now();
        await reads.write(writes, fence);
        writtenMs += performance.now() - startedAt;
      },
    });
    const stores = await embeddedStores();
    const house = await openSignalHouse(async () => ({ ...stores, reads: counted(stores.reads) }));
    try {
      await house.ingest(Array.from({ length: MATCHES }, (_, index) => match(index, house.now())).flat());
      const workspaceId = await house.workspace({ mode: 'self' }, MATCHES * 10);
      const agentId = await house.agent(workspaceId);
      const launched = await house.launch(workspaceId, agentId, { keyword: 'ledgers' });
      await house.caughtUp();
      [documents, writtenMs] = [0, 0];
      const before = process.cpuUsage();
      await executeSignalRun.act(house.worker(), launched.work, NEVER);
      await house.caughtUp();
      const { user, system } = process.cpuUsage(before);
      const shown = await house.reads.count(detections, { where: { workspaceId } });
      return [
        {
          what: `a paid detection, of ${MATCHES.toLocaleString('en')}: documents written`,
          measured: documents / shown,
          unit: 'documents',
          beside: 'when they were first counted',
          besideValue: EARLIER_DOCUMENTS,
          goal: { atMost: 0.5 },
          proof: `${shown} of ${MATCHES} shown`,
        },
        {
          what: 'a paid detection: writing its documents',
          measured: (writtenMs / shown) * 1_000,
          unit: 'us',
          beside: 'all that it takes the processor, from the launch on',
          besideValue: (user + system) / shown,
          goal: null,
          proof: `${documents} documents`,
        },
      ];
    } finally {
      await house.close();
    }
  },
};

/** Somebody at a company, and a post. */
function match(index: number, now: Date): readonly object[] {
  const title = 'VP Sales';
  const company = { company_ref: `c:${index}`, company_name: `Company ${index}` };
  const times = { start_date: '2024-03', end_date: null, department: 'sales', seniority: 'vp' };
  return [
    {
      kind: 'company',
      ref: `c:${index}`,
      handle: `company-${index}`,
      name: `Company ${index}`,
      domains: [`company-${index}.example`],
    },
    {
      kind: 'person',
      ref: `p:${index}`,
      handle: `person-${index}`,
      first_name: 'Ana',
      last_name: `Roy ${index}`,
      headline: title,
      experiences: [{ title, ...company, ...times }],
      geo: { city: 'Paris', country: 'France' },
    },
    {
      kind: 'post',
      ref: `post:${index}`,
      author_ref: `p:${index}`,
      text: 'Some words about ledgers and more.',
      published_at: new Date(now.getTime() - (index + 1) * 60_000).toISOString(),
    },
  ];
}
