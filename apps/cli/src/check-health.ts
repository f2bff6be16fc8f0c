import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// For the health check of a container: exit code 0 when the process of this data directory is ready, otherwise 1 and the
// reason.
const LONGEST_WAIT_MS = 4_000;

/** Why the process is not ready; null if it is. */
async function unready(dataDirectory: string): Promise<string | null> {
  const file = join(dataDirectory, 'address.json');
  if (!existsSync(file)) return `there is no ${file}: the service has not started`;
  try {
    const address: { readonly url: string | null; readonly ops_url: string | null } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    const listener = address.url ?? address.ops_url;
    if (listener === null) return 'the service listens nowhere: set OPS_PORT and OPS_TOKEN';
    const answer = await fetch(`${listener}/health/ready`, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
    return answer.ok ? null : await answer.text();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const reason = await unready(process.env['DATA_DIR'] ?? './data');
if (reason !== null) console.error(reason);
process.exitCode = reason === null ? 0 : 1;
