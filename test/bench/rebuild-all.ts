import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { below, type Measurement } from './bench.js';
import { answerOf, runOperator } from './operator-program.js';
import { memoryMib, workedMs } from './process-usage.js';
import { driverAlone } from './rebuild-floor.js';
import { plainRead } from './rebuild-history.js';

/** The size of the goals: 1.4 million events in 140 s. */
const WHOLE_EVENTS = 1_400_000;
const WHOLE_WITHIN_S = 140;
const MEMORY_MB = 500;
const SHARE_OF_DRIVER = 1.2;
const LOOK_EVERY_MS = 20;
/** Bytes of a MiB and of a MB. */
const MIB_IN_MB = (1 << 20) / 1e6;

type Rebuilt = {
  readonly seconds: number;
  readonly processorS: number;
  readonly memoryMb: number;
  readonly answer: string;
};

/** All read models of the stores in this folder, rebuilt by a command of the command line while no service runs. */
export async function rebuiltAll(folder: string): Promise<readonly Measurement[]> {
  const views = join(folder, 'views.db');
  const before = statSync(views).size;
  const { seconds, processorS, memoryMb, answer } = await rebuildAll(folder);
  const after = statSync(views).size;
  const plain = await plainRead(join(folder, 'events.db'));
  const floor = await driverAlone(views, join(folder, 'floor.db'), plain.ms);
  const { ok, rebuilt } = JSON.parse(answer);
  const proof = `${rebuilt.length} read models, ${plain.events.toLocaleString('en')} events; ok: ${ok}; ${processorS.toFixed(0)} s of the processor`;
  return [
    {
      what: 'rebuild of all read models',
      measured: seconds,
      unit: 's',
      beside: `${WHOLE_WITHIN_S} s for ${WHOLE_EVENTS.toLocaleString('en')} events`,
      besideValue: (WHOLE_WITHIN_S * plain.events) / WHOLE_EVENTS,
      goal: { atMost: 1 },
      proof,
    },
    {
      what: 'the same beside the driver alone: reads, inserts the same rows, builds the same indexes',
      measured: seconds,
      unit: 's',
      beside: 'the driver on one thread',
      besideValue: floor.ms / 1_000,
      goal: { atMost: SHARE_OF_DRIVER },
      proof: `${floor.rows.toLocaleString('en')} rows of ${floor.tables} tables`,
    },
    below('peak memory of the command', 'MB', memoryMb, MEMORY_MB, 'the whole process'),
    {
      what: 'the file of the read models afterwards, with the generations that a rollback needs',
      measured: after / 1e6,
      unit: 'MB',
      beside: 'before',
      besideValue: before / 1e6,
      goal: null,
      proof: 'the next rebuild uses the space of the former generations',
    },
  ];
}

async function rebuildAll(folder: string): Promise<Rebuilt> {
  const startedAt = performance.now();
  const child = runOperator(folder, 'projections', 'rebuild');
  const { pid = 0 } = child.process;
  let isOver = false;
  let [processorMs, memory] = [0, 0];
  const watching = (async () => {
    while (!isOver) {
      if (existsSync(`/proc/${pid}/stat`)) {
        processorMs = Math.max(processorMs, workedMs(pid) || 0);
        memory = Math.max(memory, memoryMib(pid, 'VmHWM') || 0);
      }
      await delay(LOOK_EVERY_MS);
    }
  })();
  const answer = await answerOf(child);
  const seconds = (performance.now() - startedAt) / 1_000;
  isOver = true;
  await watching;
  return { seconds, processorS: processorMs / 1_000, memoryMb: memory * MIB_IN_MB, answer };
}
