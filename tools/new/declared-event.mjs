// Where an event type is declared, and whose streams have it. Read from the text: `npm run new` needs no build.
import { features } from '../rooms.mjs';
import { filesEndingWith, Refused, textOf } from './house-files.mjs';

/**
 * The declaration of an event type: its feature, the type of its payloads with its import, and whether its streams
 * belong to no workspace.
 */
export function declaredEvent(eventType) {
  const vocabularies = declaredVocabularies();
  const own = vocabularies.find(({ members }) => members.includes(eventType));
  const feature = own?.file.split('/')[1];
  if (own === undefined || !features.includes(feature))
    throw new Refused(`no feature declares ${eventType}; docs/EVENTS.md lists the events with their files`);
  const isGlobal = ofNoWorkspace();
  const within = withContaining(own, vocabularies);
  const payloads = within.map(payloadsOf).find((found) => found !== null) ?? payloadsByVocabulary(own);
  return { feature, payloads, hasWorkspace: !within.some(({ name }) => isGlobal.has(name)) };
}

const subpathOf = (file) => file.replace(/^libs\//, '#').replace(/\.ts$/, '.js');

/** Every vocabulary with the names of its members: declared in place, declared elsewhere, or another vocabulary. */
function declaredVocabularies() {
  return filesEndingWith('.events.ts', 'libs').flatMap((file) =>
    [...textOf(file).matchAll(/^(export )?const (\w+) = \{$([^]*?)^\}/gm)].map(
      ([, exported, name, body]) => ({
        file,
        name,
        isExported: exported !== undefined,
        members: [...body.matchAll(/^ {2}(\w+)(?:: event\(|,$)/gm)].map(([, member]) => member),
        parts: [...body.matchAll(/^ {2}\.\.\.(\w+),$/gm)].map(([, part]) => part),
      }),
    ),
  );
}

function withContaining(own, vocabularies) {
  const containing = vocabularies.filter(({ parts }) => parts.includes(own.name));
  return [own, ...containing.flatMap((each) => withContaining(each, vocabularies))];
}

/** The exported type of the payloads of a vocabulary; null if there is none. */
function payloadsOf({ file, name }) {
  const declared = new RegExp(`^export type (\\w+) =[^;]*?\\bPayloadsOf<typeof ${name}>`, 'm');
  const type = declared.exec(textOf(file))?.[1];
  if (type === undefined) return null;
  return { type, imports: [`import type { ${type} } from '${subpathOf(file)}';`] };
}

function payloadsByVocabulary({ file, name, isExported }) {
  if (!isExported)
    throw new Refused(`${file} exports no type of the payloads of ${name}: add PayloadsOf<…> to it`);
  return {
    type: `PayloadsOf<typeof ${name}>`,
    imports: [
      `import type { PayloadsOf } from '#kernel/events/event.js';`,
      `import type { ${name} } from '${subpathOf(file)}';`,
    ],
  };
}

/** The vocabularies of deciders whose streams belong to no workspace. */
function ofNoWorkspace() {
  const texts = filesEndingWith('.ts', 'libs').map(textOf);
  const deciders = texts.flatMap((text) => text.split('= decider<').slice(1));
  return new Set(
    deciders
      .filter((text) => /^ {2}scope: 'global',$/m.test(text))
      .map((text) => /^ {2}vocabulary: (\w+),$/m.exec(text)?.[1]),
  );
}
