// Checks what no compiler sees: left-over notes, paths of a developer's machine, and the origin of packages.
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { house as root } from './source-imports.mjs';
import { filesOfTree } from './tree-files.mjs';

const self = relative(root, fileURLToPath(import.meta.url));
const REGISTRY = 'https://registry.npmjs.org/';

const rules = [
  { found: 'a note to finish later', pattern: /\b(TODO|FIXME|XXX)\b/ },
  { found: 'a path of one machine', pattern: /(?<![\w.~/:-])\/(work|root|home|Users)\/\w/ },
];

const faults = [];
const files = filesOfTree().filter((file) => file !== self);
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  if (text.includes('\0')) continue;
  text.split('\n').forEach((line, index) => {
    for (const { found, pattern } of rules) {
      if (pattern.test(line)) faults.push(`${file}:${index + 1}: ${found}: ${line.trim().slice(0, 120)}`);
    }
  });
}

// An installation with this lock file uses only the public registry; without an address npm uses the configured one.
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const locked = Object.entries(packages);
for (const [name, { resolved }] of locked) {
  if (resolved !== undefined && !resolved.startsWith(REGISTRY)) {
    faults.push(`package-lock.json: ${name} comes from ${resolved}`);
  }
}
if (files.length === 0 || locked.length === 0) faults.push('nothing was looked at');

for (const fault of faults) console.error(fault);
console.log(`${files.length} files, ${locked.length} locked packages, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
