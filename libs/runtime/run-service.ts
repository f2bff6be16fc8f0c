import { StoreUnavailable, StoreUnusable } from '#kernel/ports/event-store.port.js';
import { InvalidSetting, readSettings, type Settings } from './settings.js';

const STOP_WITHIN_MS = 10_000;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_STORE = 3;

/** The part of `process` that a service is run in. */
export type Surroundings = {
  readonly env: NodeJS.ProcessEnv;
  readonly on: (signal: 'SIGTERM' | 'SIGINT', listener: () => void) => unknown;
  readonly exit: (code: number) => void;
  readonly stderr: { readonly write: (text: string) => unknown };
};

/**
 * Runs a service until SIGTERM or SIGINT. A signal during the start ends the service as soon as it has started, or
 * has stopped waiting for its stores. Errors that a person can fix are reported in one line, without a stack.
 */
export async function runService(
  start: (settings: Settings, stopping: AbortSignal) => Promise<{ stop: () => Promise<void> }>,
  surroundings: Surroundings = process,
): Promise<void> {
  const { env, exit, stderr } = surroundings;
  const fail = (error: unknown): void => {
    stderr.write(`${describe(error)}\n`);
    exit(exitCodeOf(error));
  };
  let stop: (() => Promise<void>) | null = null;
  let isStopping = false;
  const stopping = new AbortController();
  const end = async (): Promise<void> => {
    if (stop === null) return;
    try {
      await stop();
      exit(0);
    } catch (error) {
      fail(error);
    }
  };
  const onSignal = (): void => {
    if (isStopping) return;
    isStopping = true;
    stopping.abort();
    // A hanging part must not keep the process: everything acknowledged is on disk by then.
    setTimeout(() => {
      stderr.write(
        `the service did not stop within ${STOP_WITHIN_MS / 1_000} s and ends now; answered writes are stored\n`,
      );
      exit(EXIT_FAILED);
    }, STOP_WITHIN_MS).unref();
    void end();
  };
  surroundings.on('SIGTERM', onSignal);
  surroundings.on('SIGINT', onSignal);
  try {
    const service = await start(readSettings(env), stopping.signal);
    stop = () => service.stop();
  } catch (error) {
    // The service waited for a store and was asked to stop.
    if (isStopping && error instanceof StoreUnavailable) exit(0);
    else fail(error);
    return;
  }
  if (isStopping) await end();
}

function exitCodeOf(error: unknown): number {
  if (error instanceof InvalidSetting) return EXIT_USAGE;
  return error instanceof StoreUnavailable || error instanceof StoreUnusable ? EXIT_STORE : EXIT_FAILED;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (
    error instanceof InvalidSetting ||
    error instanceof StoreUnavailable ||
    error instanceof StoreUnusable
  ) {
    return error.message;
  }
  return error.stack ?? error.message;
}
