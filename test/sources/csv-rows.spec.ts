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
});
