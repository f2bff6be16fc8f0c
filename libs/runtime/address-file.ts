import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyBeat } from '#kernel/commands/beat.js';
import { fileError } from '#sqlite/file-error.js';
import type { TroubleLog } from './background-work.js';

/** The addresses of a process: URLs, null for a listener that it does not have. */
export type Address = { readonly url: string | null; readonly ops_url: string | null; readonly pid: number };

/** A busy machine answers late. */
const LIFE_SIGN_MS = 5_000;
/** How often a second service checks whether the first is gone, in ms. */
const LOOKS_EVERY_MS = 1_000;

/**
 * `address.json` of a data directory: the address of the service that uses it. With several services it names the one
 * that started first; when that one stops or no longer answers, it names one of the others a second later.
 */
export function openAddressFile(dataDirectory: string, onTrouble: TroubleLog) {
  const file = join(dataDirectory, 'address.json');
  let own: string | null = null;
  let endLooking = (): void => undefined;
  const put = (text: string): void => {
    const unfinished = `${file}.${process.pid}`;
    // Written atomically: a reader that waits for the file never reads half of it.
    try {
      writeFileSync(unfinished, text, { mode: 0o600 });
      renameSync(unfinished, file);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw fileError(error, file, 'written');
    }
  };
  /** Null for no file, and for one that cannot be read: the services of a data directory can read each other's file. */
  const read = (): string | null => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return null;
    }
  };
  /** Whether the file names another running service. */
  const isTaken = async (address: Address): Promise<boolean> => {
    const named = addressIn(read());
    if (named === null) return false;
    // No other process can listen on this address: a service that was killed has left the file.
    const isOwn = named.url === address.url && named.ops_url === address.ops_url;
    return !isOwn && (await answers(named));
  };
  /** Writes the address when the file can be written and names no other service. A slow check is not started again meanwhile. */
  function waitFor(address: Address, text: string): void {
    let isLooking = false;
    endLooking = everyBeat(LOOKS_EVERY_MS, () => {
      if (isLooking) return;
      isLooking = true;
      isTaken(address)
        .then((taken) => {
          if (taken || own !== text) return;
          put(text);
          endLooking();
        })
        // The folder may be gone, or the disk full: readiness reports it, and the next check follows.
        .catch(() => undefined)
        .finally(() => (isLooking = false));
    });
  }
  return {
    /**
     * Writes the address, immediately or, if the file names another running service or cannot be written, as soon as that
     * ends: a service that starts on a full disk answers queries.
     */
    write: async (address: Address): Promise<void> => {
      const text = `${JSON.stringify(address)}\n`;
      own = text;
      if (await isTaken(address)) return waitFor(address, text);
      try {
        put(text);
      } catch (error) {
        onTrouble('address', error);
        waitFor(address, text);
      }
    },
    /** Removes the address; no effect if the file names another service, or cannot be read or removed. */
    remove: (): void => {
      endLooking();
      try {
        // The process id alone is not enough: in containers every service has number 1.
        if (own !== null && read() === own) rmSync(file, { force: true });
      } catch {
        // The stop goes on. As after a kill, the next service finds that nobody answers at this address.
      }
      own = null;
    },
  };
}

function addressIn(text: string | null): Address | null {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** Whether the service at an address is alive. */
async function answers({ url, ops_url: opsUrl }: Address): Promise<boolean> {
  try {
    const answer = await fetch(`${url ?? opsUrl}/health/live`, {
      signal: AbortSignal.timeout(LIFE_SIGN_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
