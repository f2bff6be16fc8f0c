import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'signal-ledger-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
