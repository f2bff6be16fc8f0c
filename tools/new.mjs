// Writes the first files of a new part of the product, and its lines in the registries:
//   npm run new endpoint <feature>[/<folder>] <verb-noun> 'GET …'   a query, in its module, with an API spec
//   npm run new read-model <feature> <name> <event type>        a projection of the events of one type, with its spec
//   npm run new detector <kind> <kind of company event>         a detector of these events, with its spec
// Examples: npm run new read-model ledger granted-credits CreditsGranted
//           npm run new detector office_opened location_opened
// The written files compile and their spec passes: adapt both. Existing files are not overwritten.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { endWithHelp } from './help.mjs';
import { detector } from './new/detector.mjs';
import { endpoint } from './new/endpoint.mjs';
import { isThere, Refused } from './new/house-files.mjs';
import { readModel } from './new/read-model.mjs';
import { house } from './source-imports.mjs';

endWithHelp(import.meta.url);

const KINDS = { endpoint, 'read-model': readModel, detector };
const [kind, ...words] = process.argv.slice(2);

try {
  if (!Object.hasOwn(KINDS, kind ?? ''))
    throw new Refused(`name the kind: ${Object.keys(KINDS).join(', ')} (npm run new -- --help)`);
  const { written, changed, next } = KINDS[kind](words);
  const there = Object.keys(written).find(isThere);
  if (there !== undefined) throw new Refused(`${there} is there`);
  // All texts are made first, so that nothing is written if one of them cannot be made.
  const texts = await Promise.all(Object.entries({ ...written, ...changed }).map(formatted));
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), text);
    console.log(`${Object.hasOwn(written, file) ? 'wrote' : 'changed'} ${file}`);
  }
  console.log(['Next:', ...next].join('\n  '));
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

async function formatted([file, text]) {
  const path = join(house, file);
  return [file, await format(text, { ...(await resolveConfig(path)), filepath: path })];
}
