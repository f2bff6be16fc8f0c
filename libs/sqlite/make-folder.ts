import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * As `mkdir -p`, for the owner only. Level by level: Node's own recursive mkdir never returns for a folder that the
 * system refuses (/proc).
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let above = folder; !existsSync(above) && dirname(above) !== above; above = dirname(above)) {
    missing.unshift(above);
  }
  for (const step of missing) {
    try {
      mkdirSync(step, { mode: 0o700 });
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
