import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

describe('the sample of the observed network', () => {
  it('ends quietly when its reader stops', () => {
    const sample = fileURLToPath(import.meta.resolve('#apps/cli/src/print-sample.js'));
    const call = 'set -o pipefail; "$0" "$1" | head -n 1 | wc -l';
    const { status, stdout, stderr } = spawnSync('bash', ['-c', call, process.execPath, sample], {
      encoding: 'utf8',
    });
    expect([status, stdout.trim(), stderr]).toEqual([0, '1', '']);
  });
});
