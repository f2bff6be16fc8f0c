// Counts the imports between files of features, without specs: `node tools/count-feature-imports.mjs [root]`. Prints their
// number, the number that cross from one feature into another, the number of these against the order of the features, and
// the number of files of each feature. A feature is a folder of that name in `libs`, `projections` and `apps/api/src`.
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import typescript from 'typescript';
import { endWithHelp } from './help.mjs';
import { features } from './rooms.mjs';
import { house, resolveImport } from './source-imports.mjs';
import { filesBelow } from './tree-files.mjs';

endWithHelp(import.meta.url);

const PLACES = ['libs', 'projections', 'apps/api/src'];

const root = process.argv[2] ?? house;
const files = features.flatMap((feature) =>
  filesBelow(
    root,
    PLACES.map((place) => posix.join(place, feature)),
    (file) => posix.extname(file) !== '',
  ),
);
const rows = new Map(
  features.map((feature) => [feature, { files: 0, within: 0, toOthers: 0, fromOthers: 0, against: 0 }]),
);
for (const file of files) {
  const feature = featureOf(file);
  const row = rows.get(feature);
  row.files += 1;
  if (!file.endsWith('.ts') || file.endsWith('.spec.ts')) continue;
  for (const target of importsOf(file)) {
    const other = featureOf(target);
    if (other === null) continue;
    if (other === feature) {
      row.within += 1;
      continue;
    }
    row.toOthers += 1;
    rows.get(other).fromOthers += 1;
    if (features.indexOf(other) > features.indexOf(feature)) row.against += 1;
  }
}

const columns = ['feature', 'files', 'share', 'within', 'to others', 'from others', 'against the order'];
const sum = (pick) => [...rows.values()].reduce((total, row) => total + pick(row), 0);
const all = sum((row) => row.files);
print(columns);
for (const [feature, { files: own, within, toOthers, fromOthers, against }] of rows)
  print([feature, own, `${((100 * own) / all).toFixed(1)} %`, within, toOthers, fromOthers, against]);
const crossing = sum((row) => row.toOthers);
const total = crossing + sum((row) => row.within);
console.log(
  `${total} imports between files of features, ${crossing} cross from one feature into another, ` +
    `${sum((row) => row.against)} of them against the order`,
);
if (total === 0) {
  console.error('no feature was found: this counts nothing');
  process.exitCode = 1;
}

function featureOf(file) {
  const feature = /^(?:libs|projections|apps\/api\/src)\/([^/]+)\//.exec(file)?.[1] ?? '';
  return features.includes(feature) ? feature : null;
}

function importsOf(file) {
  const source = readFileSync(join(root, file), 'utf8');
  return typescript
    .preProcessFile(source, true, true)
    .importedFiles.map(({ fileName }) => resolveImport(file, fileName))
    .filter(({ isPackage }) => !isPackage)
    .map(({ path }) => path);
}

function print(cells) {
  console.log(
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(12) : String(cell).padStart(18))).join(''),
  );
}
