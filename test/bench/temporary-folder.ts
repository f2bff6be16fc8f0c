import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A folder that is removed when its bench has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signal-ledger-bench-'));
  made.push(folder);
  return folder;
}

export function removeTemporaryFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
