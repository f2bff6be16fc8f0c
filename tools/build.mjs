// Compiles what changed into dist/ and removes compiled files whose source is gone, so that a deleted spec
// does not go on running.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = join(root, 'dist');

if (existsSync(output)) {
  for (const file of readdirSync(output, { recursive: true })) {
    const source = /^(?<stem>.*)\.js(\.map)?$/.exec(file)?.groups?.stem;
    if (source !== undefined && !existsSync(join(root, `${source}.ts`))) rmSync(join(output, file));
  }
}
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'tsconfig.json')], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
