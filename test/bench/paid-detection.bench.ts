import type { ReadStore } from '#kernel/ports/read-store.port.js';
import { executeSignalRun } from '#signals/runs/execute-signal-run.process.js';
import { detections } from '#projections/signals/detections/detections.projection.js';
import { embeddedStores, openSignalHouse } from '../support/signal-house.js';
import type { Bench, Measurement } from './bench.js';
import { matchOf } from './matches.js';

const MATCHES = 2_000;
/** Runs of one match each, enough that the warm-up of the first does not count. */
const ALONE = 40;
/** The first count of documents written per paid detection: in a run of this size, and alone. */
const EARLIER_DOCUMENTS = { inRun: 10.1, alone: 17 };
const CREDITS = 10;
const NEVER = new AbortController().signal;

/** The total cost of all paid detections of some runs. */
type Cost = {
  readonly documents: number;
  readonly writingMs: number;
  readonly processorUs: number;
  readonly shown: number;
};

/**
 * The cost of one paid detection of a new person for the read models: in the middle of a run, and in a run of its
 * own.
 */
export const paidDetectionBench: Bench = {
  name: 'paid-detection',
  async run() {
    const inRun = await costOf(1, MATCHES);
    const alone = await costOf(ALONE, 1);
    return [
      ...measurements(`a paid detection, of ${MATCHES.toLocaleString('en')}`, inRun, EARLIER_DOCUMENTS.inRun),
      ...measurements('a paid detection, alone, with the end of its run', alone, EARLIER_DOCUMENTS.alone),
    ];
  },
};

function measurements(
  what: string,
  { documents, writingMs, processorUs, shown }: Cost,
  earlier: number,
): readonly Measurement[] {
  return [
    {
      what: `${what}: documents written`,
      measured: documents / shown,
      unit: 'documents',
      beside: 'at the first count',
      besideValue: earlier,
      goal: { atMost: 0.5 },
      proof: `${shown} shown`,
    },
    {
      what: `${what}: writing its documents`,
      measured: (writingMs / shown) * 1_000,
      unit: 'us',
      beside: 'total processor time, from the launch on',
      besideValue: processorUs / shown,
      goal: null,
      proof: `${documents} documents`,
    },
  ];
}

/** Carries out this many runs, one after the other, each with this many matches of its own. */
async function costOf(runs: number, matches: number): Promise<Cost> {
  let [documents, writingMs, processorUs] = [0, 0, 0];
  let isCounting = false;
  const counted = (reads: ReadStore): ReadStore => ({
    ...reads,
    async write(writes, fence) {
      if (!isCounting) return reads.write(writes, fence);
      documents += writes.reduce((sum, write) => sum + write.documents.length, 0);
      const startedAt = performance.now();
      await reads.write(writes, fence);
      writingMs += performance.now() - startedAt;
    },
  });
  const stores = await embeddedStores();
  const house = await openSignalHouse(async () => ({ ...stores, reads: counted(stores.reads) }));
  try {
    const numbers = Array.from({ length: runs * matches }, (_, index) => index);
    const keywordOf = (index: number): string => `ledgers${Math.floor(index / matches)}`;
    await house.ingest(
      numbers.flatMap((index) =>
        matchOf(index, house.now(), `Some words about ${keywordOf(index)} and more.`),
      ),
    );
    const workspaceId = await house.workspace({ mode: 'self' }, numbers.length * CREDITS);
    for (let run = 0; run < runs; run += 1) {
      const agentId = await house.agent(workspaceId);
      const keyword = keywordOf(run * matches);
      const { work } = await house.launch(workspaceId, agentId, { keyword });
      await house.caughtUp();
      isCounting = true;
      const before = process.cpuUsage();
      await executeSignalRun.act(house.worker(), work, NEVER);
      await house.caughtUp();
      const { user, system } = process.cpuUsage(before);
      processorUs += user + system;
      isCounting = false;
    }
    const shown = await house.reads.count(detections, { where: { workspaceId } });
    if (shown !== numbers.length) throw new Error(`${shown} of ${numbers.length} detections are shown`);
    return { documents, writingMs, processorUs, shown };
  } finally {
    await house.close();
  }
}
