// The changed files of the working copy, from Git.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { house } from './source-imports.mjs';

/**
 * Files that differ from the point where the branch left `main`, committed or not, and new ones; as paths from the
 * root, without deleted ones. Throws if this is not a Git working copy.
 */
export function changedFiles() {
  const base = git(['merge-base', 'HEAD', 'main']) ?? git(['merge-base', 'HEAD', 'origin/main']) ?? ['HEAD'];
  const differing = git(['diff', '--name-only', ...base]);
  const untracked = git(['ls-files', '--others', '--exclude-standard']);
  if (differing === null || untracked === null)
    throw new Error('--changed needs Git, and this folder is not a clone');
  return [...new Set([...differing, ...untracked])].filter((file) => existsSync(join(house, file))).sort();
}

function git(words) {
  const { status, stdout } = spawnSync('git', words, { cwd: house, encoding: 'utf8' });
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : null;
}
