import { spawnSync } from 'node:child_process';
import { existsSync, openSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { ofPrograms } from '#test/support/child-process.js';
import { startTestService } from '#test/support/service.js';
import { CLI } from '#test/support/cli.js';

const folder = temporaryFolder('export-cli');
const dataDirectory = join(folder, 'data');

function cli(words: readonly string[], data = dataDirectory, input?: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...ofPrograms, CLI, ...words], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: data },
    input,
  });
  return { status, stdout, stderr };
}

describe('exports on the command line', () => {
  let workspaceId = 0;
  const exportFile = join(folder, 'ledger.jsonl');
  const noStores = join(folder, 'none');

  beforeAll(async () => {
    const service = await startTestService({}, dataDirectory);
    const workspace = await service.workspace({ credits: 100 });
    workspaceId = workspace.id;
    const hold = { workspace_id: workspaceId, key: 'a', credits: '12.5', product: 'export' };
    await service.ops('credits.hold', hold);
    await service.ops('credits.capture', { workspace_id: workspaceId, key: 'a' });
    await service.service.stop();
  });

  it('are written completely to a file, or to standard output and nothing else', () => {
    const ledger = ['ledger', 'export', '--workspace-id', String(workspaceId), '--format'];
    expect(cli([...ledger, 'jsonl', '--file', exportFile])).toMatchObject({ status: 0, stdout: '' });
    const { status, stdout } = cli([...ledger, 'jsonl']);
    expect([status, stdout]).toEqual([0, readFileSync(exportFile, 'utf8')]);
    expect(cli([...ledger, 'csv']).stdout).toMatch(/^row,at,.*\r\nopening,/);
    expect(readdirSync(folder).filter((file) => file.endsWith('.part'))).toEqual([]);
  });

  it('are refused for a workspace without a ledger, an invalid format and an invalid period; no file is left', () => {
    const refused = (...words: string[]) =>
      cli(['ledger', 'export', ...words, '--file', join(folder, 'refused')]);
    const workspace = ['--workspace-id', String(workspaceId)];
    expect(refused('--workspace-id', '999', '--format', 'csv').status).toBe(1);
    const wrong = refused(...workspace, '--format', 'xlsx');
    expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('format')]);
    const backwards = refused(...workspace, '--format', 'csv', '--from', '2026-02-01', '--to', '2026-01-01');
    expect([backwards.status, backwards.stderr]).toEqual([2, expect.stringContaining('from')]);
    expect(existsSync(join(folder, 'refused'))).toBe(false);
  });

  describe('with the name of an existing file', () => {
    const at = (name: string): string => join(folder, name);
    const exported = (...words: string[]) =>
      cli(['ledger', 'export', '--workspace-id', String(workspaceId), '--format', 'csv', ...words]);

    it('OPS-31 are refused, and replace the file with --overwrite', () => {
      writeFileSync(at('taken.csv'), 'something dear');
      const { status, stderr } = exported('--file', at('taken.csv'));
      expect([status, stderr]).toEqual([1, expect.stringMatching(/use --overwrite/)]);
      expect(readFileSync(at('taken.csv'), 'utf8')).toBe('something dear');
      expect(exported('--file', at('taken.csv'), '--overwrite').status).toBe(0);
      expect(readFileSync(at('taken.csv'), 'utf8')).toMatch(/^row,at,/);
    });

    it('OPS-31 never replace the event log of the service', () => {
      const events = join(dataDirectory, 'events.db');
      const before = statSync(events).ino;
      for (const words of [[], ['--overwrite']]) expect(exported('--file', events, ...words).status).toBe(1);
      expect(statSync(events).ino).toBe(before);
    });

    it('OPS-31 end with 1 and one line if the disk is full, and silently if the reader is gone', () => {
      const call = `"${process.execPath}" "${CLI}" ledger export --workspace-id ${workspaceId} --format csv`;
      const shell = (text: string) =>
        spawnSync('bash', ['-c', text], {
          encoding: 'utf8',
          env: { ...process.env, DATA_DIR: dataDirectory },
        });
      if (existsSync('/dev/full')) {
        const full = spawnSync(process.execPath, [...ofPrograms, CLI, ...call.split(' ').slice(2)], {
          encoding: 'utf8',
          env: { ...process.env, DATA_DIR: dataDirectory },
          stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
        });
        expect([full.status, full.stderr.trim().split('\n')]).toEqual([
          1,
          [expect.stringMatching(/^standard output cannot be written: .*no space left/)],
        ]);
      }
      const closed = shell(`set -o pipefail; ${call} | true`);
      expect([closed.status, closed.stderr]).toEqual([0, '']);
    });
  });

  it('are verified offline: no store is opened, and a changed one ends with 1 naming the revision', () => {
    const proof = cli(['ledger', 'verify', '--file', exportFile, '--json'], noStores);
    expect(proof.status).toBe(0);
    expect(JSON.parse(proof.stdout)).toMatchObject({ ok: true, revision: 3, movements: 1 });
    expect(existsSync(noStores)).toBe(false);
    const changed = readFileSync(exportFile, 'utf8').replace('"product":"export"', '"product":"expert"');
    const file = join(folder, 'changed.jsonl');
    writeFileSync(file, changed);
    const refuted = cli(['ledger', 'verify', '--file', file, '--json'], noStores);
    expect(refuted.status).toBe(1);
    expect(JSON.parse(refuted.stdout)).toMatchObject({
      ok: false,
      differences: [{ revision: 2, what: 'hash' }, {}],
    });
    const piped = cli(['ledger', 'verify', '--file', '-', '--json'], noStores, changed);
    expect(piped.stdout).toBe(refuted.stdout);
  });

  it('are not all that is verified: a printed statement is compared with the ledger, and its charges are counted', () => {
    const { stdout } = cli(['ledger', 'statement', '--workspace-id', String(workspaceId), '--json']);
    const proof = cli(['ledger', 'verify', '--file', '-', '--json'], dataDirectory, stdout);
    expect(JSON.parse(proof.stdout)).toMatchObject({ ok: true, revision: 3, movements: 1 });
  });

  it('are verified against a head that was printed earlier', () => {
    const { hash } = JSON.parse(cli(['ledger', 'verify', '--file', exportFile, '--json'], noStores).stdout);
    const against = (printed: string) =>
      cli(['ledger', 'verify', '--file', exportFile, '--revision', '3', '--hash', printed], noStores).status;
    expect([against(hash), against('0'.repeat(64))]).toEqual([0, 1]);
    expect(cli(['ledger', 'verify', '--file', exportFile, '--revision', '3'], noStores).status).toBe(2);
  });
});
