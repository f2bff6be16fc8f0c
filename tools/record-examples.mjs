// Writes the examples of the OpenAPI document from a service that answers every route once. To be run again after a new
// route or a changed answer. The output is deterministic; `--check` compares it with the file instead, and names the routes
// whose examples differ.
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { format } from 'prettier';
import { argumentsOf, endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const { values } = argumentsOf({ options: { check: { type: 'boolean', default: false } } });
const { recordExamples } = await import('#test/support/route-examples.js');
const examples = await recordExamples();
const file = new URL('../apps/api/src/openapi-examples.json', import.meta.url);
const wanted = await format(JSON.stringify(examples), { parser: 'json', printWidth: 110 });
const count = Object.keys(examples).length;
if (!values.check) {
  writeFileSync(file, wanted);
  console.log(`${count} examples`);
} else if (readFileSync(file, 'utf8') === wanted) {
  console.log(`the ${count} examples are those of this program`);
} else {
  const written = JSON.parse(readFileSync(file, 'utf8'));
  const routes = [...new Set([...Object.keys(written), ...Object.keys(examples)])];
  for (const route of routes.filter((each) => !isDeepStrictEqual(written[each], examples[each])))
    console.error(`${route}: its example is not what this program answers`);
  console.error(
    'apps/api/src/openapi-examples.json differs from what this program answers: run npm run examples',
  );
  process.exitCode = 1;
}
