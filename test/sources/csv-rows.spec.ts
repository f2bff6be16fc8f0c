import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MalformedAnswer } from '#sources/answer-fields.js';
import type { CsvMapping } from '#sources/csv-mapping.js';
import { rowsOf } from '#sources/csv-rows.js';
import { temporaryFolder } from '../support/temporary-folder.js';

describe('the rows of a file', () => {
  const folder = temporaryFolder('csv-rows');
  const mapping: CsvMapping = {
    kind: 'person',
    id: 'id',
    columns: new Map(),
    delimiter: ',',
    encoding: 'utf-8',
  };

  it('fail the reading of a file that the service cannot open or read, as the system says it', async () => {
    for (const [path, code] of [
      [join(folder, 'removed.csv'), 'ENOENT'],
      [folder, 'EISDIR'],
    ] as const) {
      const read = rowsOf(path, mapping, () => undefined).next();
      await expect(read).rejects.toThrow(MalformedAnswer);
      await expect(rowsOf(path, mapping, () => undefined).next()).rejects.toThrow(`cannot be read: ${code}`);
    }
  });

  it('have the mapped columns and no other, so that a file with very many columns does not fill the memory', async () => {
    const path = join(folder, 'wide.csv');
    const names = Array.from({ length: 1_000 }, (_, column) => `c${column}`);
    const line = (id: string) => [id, ...names.map(() => 'x'), 'Ana', 'y', 'y'].join(',');
    writeFileSync(
      path,
      `${['id', ...names, ' Name ', 'same', 'same'].join(',')}\n${line('1')}\n${line('2')}\n`,
    );
    const columns = new Map([['first_name', 'Name']]);
    const rows = [];
    for await (const some of rowsOf(path, { ...mapping, columns }, () => undefined)) rows.push(...some);
    expect(rows).toEqual([
      { id: '1', Name: 'Ana' },
      { id: '2', Name: 'Ana' },
    ]);
    // The number of cells is that of all columns.
    writeFileSync(path, `id,Name,other\n1,Ana\n`);
    await expect(rowsOf(path, { ...mapping, columns }, () => undefined).next()).rejects.toThrow(
      'is no CSV as mapped',
    );
  });
});
