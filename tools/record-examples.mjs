// Writes the examples of the OpenAPI document from a service that answers every route once. To be run again after a new
// route or a changed answer. The output is deterministic.
import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { endWithHelp } from './help.mjs';

endWithHelp(import.meta.url);

const { recordExamples } = await import('#test/support/route-examples.js');
const examples = await recordExamples();
const file = new URL('../apps/api/src/openapi-examples.json', import.meta.url);
writeFileSync(file, await format(JSON.stringify(examples), { parser: 'json', printWidth: 110 }));
console.log(`${Object.keys(examples).length} examples`);
