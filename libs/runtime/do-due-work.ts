import { createRequire } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { createLogger, type Logger } from '#http/log.js';
import { carried } from '#read-store/sqlite/fill-messages.js';
import type { DueWorkOrder, FromDueWork, ToDueWork } from './due-work-messages.js';
import { countOne } from './gathered-events.js';
import { loopProgress } from './loop-progress.js';
import { sentMeter } from './metrics/sent-meter.js';
import { openServiceHost, type ServiceHost } from './service-host.js';
import { readSettings } from './settings.js';
import { openStoresBeside } from './stores-beside.js';
import type { OpenTracing } from './tracing/open-tracing.js';
import type { TracingSettings } from './tracing/tracing-settings.js';
import { troubleLog } from './trouble-log.js';

const send = (message: FromDueWork): void => parentPort?.postMessage(message);

/**
 * Requests and projecting are scheduled first where cores are few. Measured on a busy machine: p50 of a balance beside a round 3.4
 * and 2.0 ms, without it 7.3 and 5.7 ms (docs/adr/0144). Only Linux has a priority for each thread; other systems would apply
 * it to the whole process.
 */
const LOWER_BY = 5;
function lowerPriority(logger: Logger): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(constants.priority.PRIORITY_LOW, getPriority(0) + LOWER_BY));
  } catch (error) {
    // A sandbox may refuse it. Without it the work is done all the same.
    logger.warn({ reason: String(error) }, 'the thread of background work keeps the priority of the process');
  }
}

/**
 * Requests have the states that are used again and again; this thread has those of the running runs. Measured in a round of 300 runs:
 * 64 MiB take as much processor time, and 20 MiB more memory.
 */
const CACHE_BYTES = 32 * 1024 * 1024;

/** Does the due work of a service that answers requests on its event loop, on a thread of its own: see `dueWorkThread`. */
export async function run(): Promise<void> {
  const { turns, commitsBeside }: DueWorkOrder = workerData;
  const progress = loopProgress(send);
  const meter = sentMeter((calls) => send({ kind: 'metered', calls }));
  const settings = readSettings(process.env);
  let isStopping = false;
  let host: ServiceHost | null = null;

  // Messages may come before the host is open.
  parentPort?.on('message', (message: ToDueWork) => {
    switch (message.kind) {
      case 'moved':
        progress.moved(message.views);
        break;
      case 'reached':
        progress.answered(message.id, message.reached);
        break;
      case 'drain':
        void drain(message.id);
        break;
      case 'stop':
        isStopping = true;
        if (host !== null) void stop(host, null);
        break;
    }
  });

  async function drain(id: number): Promise<void> {
    try {
      const drained = (await host?.drainDueWork()) ?? { processed: 0 };
      meter.flush();
      send({ kind: 'drained', id, drained });
    } catch (error) {
      send({ kind: 'not drained', id, error: carried(error) });
    }
  }

  const tracing = settings.tracing === null ? null : await openTracingOfThread(settings.tracing);
  const logger = createLogger(settings.logLevel, { write: (line: string) => send({ kind: 'log', line }) });
  lowerPriority(logger);

  async function stop(opened: ServiceHost | null, reason: string | null): Promise<void> {
    await opened?.stop();
    await tracing?.close();
    meter.flush();
    send({ kind: 'ending', reason });
    // A request to a collector that does not answer would keep the thread alive. Its connections are closed.
    process.exit();
  }

  try {
    host = await openServiceHost(settings, troubleLog(logger, meter.failed, tracing), true, {
      openStores: (_, { turn, onCommitted } = {}) =>
        openStoresBeside(settings, {
          turns,
          turn,
          onCommitted(seconds) {
            countOne(commitsBeside);
            onCommitted?.(seconds);
          },
        }),
      meter,
      tracing,
      projecting: progress,
      cacheBytes: CACHE_BYTES,
    });
    if (isStopping) await stop(host, null);
    else {
      await host.startWork({ doesDueWork: true });
      send({ kind: 'started' });
    }
  } catch (error) {
    await stop(null, error instanceof Error ? error.message : String(error));
  }
}

// The packages are loaded only if a collector is configured.
async function openTracingOfThread(settings: TracingSettings): Promise<OpenTracing> {
  const { version }: { readonly version: string } = createRequire(import.meta.url)('#package');
  const { openTracing } = await import('./tracing/open-tracing.js');
  return openTracing(settings, version, {
    lost: (reason) => send({ kind: 'collector', lost: reason }),
    back: () => send({ kind: 'collector', lost: null }),
  });
}
