import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a process listens: URLs, null for a listener that it does not have. */
export type Address = { readonly url: string | null; readonly ops_url: string | null; readonly pid: number };

export type AddressFile = {
  readonly write: (address: Address) => void;
  /** Nothing, when this process wrote none or another one has written its own since. */
  readonly remove: () => Promise<void>;
};

/** As long as the rest of a stop may take: a machine that has much to do answers late. */
const LIFE_SIGN_MS = 5_000;

/**
 * `address.json` of a data directory: where the service that lives on it is found. Of several processes it names
 * the one that started last (a service that takes the place of another), and when that one stops, the one before
 * again where it still answers.
 */
export function openAddressFile(dataDirectory: string): AddressFile {
  const file = join(dataDirectory, 'address.json');
  let own: string | null = null;
  let before: string | null = null;
  const put = (text: string): void => {
    const unfinished = `${file}.${process.pid}`;
    // Whole or not at all: whoever waits for the file never reads half of it.
    writeFileSync(unfinished, text, { mode: 0o600 });
    renameSync(unfinished, file);
  };
  const read = (): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  return {
    write: (address) => {
      before = read();
      own = `${JSON.stringify(address)}\n`;
      put(own);
    },
    remove: async () => {
      // Its process id alone does not tell whose it is: in containers all of them are number 1.
      if (own === null || read() !== own) return;
      rmSync(file, { force: true });
      if (before !== null && (await answers(before)) && !existsSync(file)) put(before);
    },
  };
}

/** Whether the service that an address names is alive; false for a text that is no address. */
async function answers(text: string): Promise<boolean> {
  try {
    const { url, ops_url: opsUrl }: Address = JSON.parse(text);
    const answer = await fetch(`${url ?? opsUrl}/health/live`, {
      signal: AbortSignal.timeout(LIFE_SIGN_MS),
    });
    return answer.ok;
  } catch {
    return false;
  }
}
