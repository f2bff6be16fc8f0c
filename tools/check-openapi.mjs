// Checks the OpenAPI document of the compiled declarations, or the given documents:
// `node tools/check-openapi.mjs [document.json …]`. Prints the checked documents and every fault.
import { readFileSync } from 'node:fs';
import { lint } from './openapi/lint.mjs';
import { pythonClientFaults } from './openapi/python-client.mjs';

const named = process.argv.slice(2);
const documents =
  named.length === 0
    ? [['the document of the house', await ownDocument()]]
    : named.map((file) => [file, JSON.parse(readFileSync(file, 'utf8'))]);

let faults = 0;
for (const [name, document] of documents) {
  const found = lint(document);
  for (const fault of found) console.error(`${name}: ${fault}`);
  console.log(`${name}: ${Object.keys(document.paths ?? {}).length} paths, ${found.length} faults`);
  if (Object.keys(document.paths ?? {}).length === 0) faults += 1;
  faults += found.length;
}
// Named documents are examples of faults; a client is generated only from the document of this repository.
if (named.length === 0) {
  const found = pythonClientFaults(documents[0][1]);
  if (found === null)
    console.log('client in Python: skipped, no Python here has openapi-python-client (see PYTHON)');
  else console.log(`client in Python: ${found.length} faults`);
  for (const fault of found ?? []) console.error(fault);
  faults += found?.length ?? 0;
}
process.exitCode = faults === 0 ? 0 : 1;

async function ownDocument() {
  const { apiDocument } = await import('../dist/test/support/declared-answers.js');
  return apiDocument();
}
