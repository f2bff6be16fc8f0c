import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endedCli, jsonOf, onData } from '#test/support/cli.js';
import { openingFile } from '#test/support/opening-files.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('credits import at the command line', () => {
  const folder = temporaryFolder('credits-import');
  const good = join(folder, 'opening.jsonl');
  const bad = join(folder, 'bad.jsonl');
  writeFileSync(
    good,
    openingFile([
      { kind: 'lot', id: 'a', credits: 5 },
      { kind: 'paid', subject: 'post:1' },
    ]),
  );
  writeFileSync(bad, openingFile([{ kind: 'lot', id: 'a', credits: 5 }], { credits: 6 }));

  const cli = (...args: readonly string[]) => endedCli(args, onData(join(folder, 'data')));

  it('IMP-01 lists its options, checks a file without a store, and ends with 1, 2 or 0', async () => {
    const help = await cli('credits', 'import', '--help');
    expect([help.code, help.errors]).toEqual([0, '']);
    for (const option of ['--workspace-id', '--mode <check|dry_run|commit>', '--reason', '--as', '--json'])
      expect(help.lines.join('\n')).toContain(option);
    const refused = await cli('credits', 'import', bad, '--mode', 'check');
    expect([refused.code, refused.lines]).toEqual([1, []]);
    expect(refused.errors).toContain('line 1 credits: is 6, and the lots add up to 5');
    const checked = await cli('credits', 'import', good, '--mode', 'check', '--json');
    expect(jsonOf(checked)).toMatchObject({ ok: true, outcome: 'file is valid' });
    expect((await cli('credits', 'import', good, '--mode', 'try')).code).toBe(2);
    expect((await cli('credits', 'import', good)).errors).toContain(
      '--workspace-id: is required with mode dry_run',
    );
    expect((await cli('credits', 'import', join(folder, 'none.jsonl'), '--mode', 'check')).code).toBe(2);
  });

  it('CON-01 IMP-01 imports, names the operator, and refuses a second file', async () => {
    const created = await cli('workspace', 'create', '--name', 'Acme', '--json');
    const id = String(jsonOf(created).workspace_id);
    const of = ['--workspace-id', id];
    const done = await cli('credits', 'import', good, ...of, '--mode', 'commit', '--as', 'maria', '--json');
    const report = jsonOf(done);
    expect(report).toMatchObject({ ok: true, outcome: 'imported', revision: 1 });
    const which = ['--movement-id', String(report.movement_id)];
    expect(jsonOf(await cli('ledger', 'movement', ...of, ...which, '--json'))).toMatchObject({
      kind: 'import',
      entries: [{ type: 'OpeningImported', actor: { kind: 'operator', id: 'maria', via: 'cli' } }],
    });
    const again = await cli('credits', 'import', good, ...of, '--mode', 'commit');
    expect([again.code, again.lines.join('\n')]).toEqual([0, expect.stringContaining('was imported before')]);
    writeFileSync(bad, openingFile([]));
    const other = await cli('credits', 'import', bad, ...of, '--mode', 'commit');
    expect([other.code, other.errors]).toEqual([1, expect.stringContaining('whose ledger has no movement')]);
    const reversed = await cli('credits', 'reverse-import', ...of, '--reason', 'wrong', '--json');
    expect(jsonOf(reversed)).toMatchObject({ credits: 5, balance: { balance: 0 } });
  });
});
