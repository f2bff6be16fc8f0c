import { StoreUnavailable, StoreUnusable } from '#kernel/event-store.port.js';
import { InvalidSetting, readSettings, type Settings } from './settings.js';

const STOP_WITHIN_MS = 10_000;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const EXIT_STORE = 3;

/** Runs a service until SIGTERM or SIGINT; what a person can mend is told in one line, without a stack. */
export async function runService(
  start: (settings: Settings) => Promise<{ stop: () => Promise<void> }>,
): Promise<void> {
  try {
    const service = await start(readSettings(process.env));
    let stopping = false;
    const stop = (): void => {
      if (stopping) return;
      stopping = true;
      // What hangs must not keep the process: everything acknowledged is on disk by then.
      setTimeout(() => process.exit(EXIT_FAILED), STOP_WITHIN_MS).unref();
      service.stop().then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): never {
  console.error(describe(error));
  process.exit(
    error instanceof InvalidSetting
      ? EXIT_USAGE
      : error instanceof StoreUnavailable || error instanceof StoreUnusable
        ? EXIT_STORE
        : EXIT_FAILED,
  );
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
  if ('code' in error && error.code === 'EADDRINUSE')
    return `${error.message}: choose another PORT, or 0 for a free one`;
  return error.stack ?? error.message;
}
