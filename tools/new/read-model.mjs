import { features } from '../rooms.mjs';
import { declaredEvent } from './declared-event.mjs';
import {
  camel,
  filesEndingWith,
  isThere,
  listed,
  pascal,
  Refused,
  requireFreeNames,
  requireName,
  textOf,
} from './house-files.mjs';

const REGISTRY = 'projections/index.ts';
const BUDGET = 'test/projections/document-budget.ts';

/**
 * A projection that counts events of one type for each workspace (or stream, if they belong to no workspace), its spec,
 * its lines in the registry and the budget.
 */
export function readModel([feature, name, eventType]) {
  requireName('the feature', feature, /^[a-z]+$/, 'ledger');
  requireName('the name', name, /^[a-z]+(-[a-z]+)+$/, 'credit-grants');
  requireName('the event type', eventType, /^[A-Z][A-Za-z]+$/, 'CreditsGranted');
  if (!features.includes(feature))
    throw new Refused(`${feature} is no feature; there are ${features.join(', ')}`);
  const folder = `projections/${feature}/${name}`;
  const taken = filesEndingWith(`/${name}.projection.ts`, 'projections');
  if (taken.length > 0 || isThere(folder)) throw new Refused(`${taken[0] ?? folder} is there`);
  const event = declaredEvent(eventType);
  if (features.indexOf(event.feature) > features.indexOf(feature))
    throw new Refused(
      `${eventType} belongs to ${event.feature}, which comes after ${feature}: make the read model a part of ${event.feature}`,
    );
  const constant = camel(name);
  requireFreeNames([constant, `${pascal(name)}Document`]);
  return {
    written: {
      [`${folder}/${name}.projection.ts`]: projectionText({ name, eventType, event }),
      [`${folder}/${name}.spec.ts`]: specText({ name, eventType, event }),
    },
    changed: {
      [REGISTRY]: listed(textOf(REGISTRY), {
        importLine: `import { ${constant} } from './${feature}/${name}/${name}.projection.js';`,
        lists: [{ begins: /export const projections: readonly Projection\[\] = \[/, name: constant }],
      }),
      [BUDGET]: withOneMore(textOf(BUDGET), eventType),
    },
    next: [
      `declare the content of the documents in ${folder}/${name}.projection.ts (docs/projections.md explains it)`,
      'each further event type in `on`: raise its number in test/projections/document-budget.ts',
      'npm run docs',
      `npm test -- ${name} house/projections document-budget`,
    ],
  };
}

/** Increments the number of documents that the event type writes. */
function withOneMore(text, eventType) {
  const row = new RegExp(`^  ${eventType}: (\\d+),$`, 'm');
  if (row.test(text)) return text.replace(row, (_, count) => `  ${eventType}: ${Number(count) + 1},`);
  const rows = [...text.matchAll(/^ {2}(\w+): \d+,$/gm)];
  const next = rows.find(([, type]) => type > eventType);
  const place = next?.index ?? rows.at(-1).index + rows.at(-1)[0].length + 1;
  return `${text.slice(0, place)}  ${eventType}: 1,\n${text.slice(place)}`;
}

/** By what the documents are told apart: the workspace of the events, or their stream where they have none. */
const BY_WORKSPACE = {
  owner: 'a workspace',
  member: 'workspaceId: number',
  index: ['workspaceId', 'lastAt'],
  key: 'String(workspaceIdOf(event))',
  value: 'workspaceId: workspaceIdOf(event)',
  imports: [`import { workspaceIdOf } from '#kernel/events/workspace-scope.js';`],
};
const BY_STREAM = {
  owner: 'a stream',
  member: 'stream: string',
  index: ['lastAt', 'stream'],
  key: 'event.stream',
  value: 'stream: event.stream',
  imports: [],
};
const ownersOf = ({ hasWorkspace }) => (hasWorkspace ? BY_WORKSPACE : BY_STREAM);

const projectionText = ({ name, eventType, event }) => {
  const { owner, member, index, key, value, imports } = ownersOf(event);
  const { payloads } = event;
  return `${payloads.imports.join('\n')}
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
${imports.join('\n')}

/** How many events \`${eventType}\` ${owner} has, and when the last one was recorded. */
export type ${pascal(name)}Document = {
  readonly ${member};
  readonly events: number;
  readonly lastAt: string;
};

export const ${camel(name)} = projection<${pascal(name)}Document, Pick<${payloads.type}, '${eventType}'>>()({
  name: '${name}',
  version: 1,
  indexes: { newestFirst: ${JSON.stringify(index)} },
  key: (event) => ${key},
  on: {
    ${eventType}: (before, event) => ({
      ${value},
      events: (before?.events ?? 0) + 1,
      lastAt: recordedAtOf(event),
    }),
  },
});
`;
};

const specText = ({
  name,
  eventType,
  event: { hasWorkspace },
}) => `import { foldAll } from '#kernel/testing/project.js';
import { ${camel(name)} } from './${name}.projection.js';

const happened = (${hasWorkspace ? 'workspaceId' : 'stream'}: string, recordedAt: string) => ({
  type: '${eventType}',
  data: {},
  ${hasWorkspace ? 'metadata: { workspaceId, recordedAt }' : 'stream,\n  metadata: { recordedAt }'},
});

describe('the ${name.replaceAll('-', ' ')}', () => {
  it('count the events of each ${hasWorkspace ? 'workspace' : 'stream'}', () => {
    const documents = foldAll(${camel(name)}, [
      happened('5', '2026-01-05T10:00:00.000Z'),
      happened('6', '2026-01-05T11:00:00.000Z'),
      happened('5', '2026-01-05T12:00:00.000Z'),
    ]);
    const [first, second] = [documents.get('5'), documents.get('6')];
    expect(first).toEqual({ ${hasWorkspace ? 'workspaceId: 5' : "stream: '5'"}, events: 2, lastAt: '2026-01-05T12:00:00.000Z' });
    expect(second).toEqual({ ${hasWorkspace ? 'workspaceId: 6' : "stream: '6'"}, events: 1, lastAt: '2026-01-05T11:00:00.000Z' });
    expect(documents.size).toBe(2);
  });
});
`;
