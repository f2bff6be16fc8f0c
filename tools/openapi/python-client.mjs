// Generates a client in Python from an OpenAPI document with openapi-python-client, where this machine has it: a document
// that a widely used generator cannot read shuts its users out. Nothing is installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PACKAGE = 'openapi-python-client';

/** A Python that has the generator: `PYTHON`, or python3 of the path; null if there is none. */
export function pythonWithGenerator() {
  const candidates = [process.env['PYTHON'], 'python3'].filter((each) => each !== undefined && each !== '');
  const has = (python) => spawnSync(python, ['-c', 'import openapi_python_client']).status === 0;
  return candidates.find(has) ?? null;
}

/** Generates the client as the package `folder`; returns the generator's output and exit status. */
export function generatePythonClient(python, document, folder) {
  const work = mkdtempSync(join(tmpdir(), 'python-client-'));
  try {
    const file = join(work, 'document.json');
    const config = join(work, 'config.json');
    writeFileSync(file, JSON.stringify(document));
    // Its formatter is another program, which need not be installed.
    writeFileSync(config, JSON.stringify({ post_hooks: [] }));
    const words = ['generate', '--path', file, '--output-path', folder, '--meta', 'none', '--config', config];
    const run = spawnSync(python, ['-m', 'openapi_python_client', ...words], { encoding: 'utf8' });
    return { status: run.status, said: `${run.stdout}${run.stderr}`.trim() };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * The faults of the document for the generator, one per line; null if the generator is not installed. Every operation
 * must become a module of the client, without a warning.
 */
export function pythonClientFaults(document) {
  const python = pythonWithGenerator();
  if (python === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'python-client-'));
  try {
    const client = join(folder, 'client');
    const { status, said } = generatePythonClient(python, document, client);
    if (status !== 0) return [`${PACKAGE} ended with ${status}: ${said}`];
    const wanted = Object.values(document.paths).flatMap((path) => Object.keys(path)).length;
    const made = modulesIn(join(client, 'api'));
    return [
      ...(/warning/i.test(said) ? [`${PACKAGE} warns: ${said}`] : []),
      ...(made === wanted ? [] : [`${PACKAGE} made ${made} of ${wanted} operations: ${said}`]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const modulesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.py') && !file.endsWith('__init__.py'),
  ).length;
