import { features } from '../rooms.mjs';
import {
  camel,
  filesEndingWith,
  isThere,
  listed,
  pascal,
  Refused,
  requireName,
  textOf,
} from './house-files.mjs';

const REGISTRY = 'projections/index.ts';
const BUDGET = 'test/projections/document-budget.ts';

/**
 * A projection that counts events of one type for each workspace, its spec, its lines in the registry and the budget.
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
  const { file, payloads } = vocabularyOf(eventType);
  const owner = file.split('/')[1];
  if (features.indexOf(owner) > features.indexOf(feature))
    throw new Refused(
      `${eventType} belongs to ${owner}, which comes after ${feature}: make the read model a part of ${owner}`,
    );
  const constant = camel(name);
  const subpath = file.replace(/^libs\//, '#').replace(/\.ts$/, '.js');
  return {
    written: {
      [`${folder}/${name}.projection.ts`]: projectionText({ name, eventType, payloads, subpath }),
      [`${folder}/${name}.spec.ts`]: specText({ name, eventType }),
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

/** The file that declares an event type, and the type of the payloads of its vocabulary. */
function vocabularyOf(eventType) {
  const declared = filesEndingWith('.events.ts', 'libs').filter((file) =>
    new RegExp(`^  ${eventType}: event\\(`, 'm').test(textOf(file)),
  );
  const [file] = declared;
  if (file === undefined)
    throw new Refused(`no *.events.ts of libs/ declares ${eventType}; docs/EVENTS.md lists them`);
  const text = textOf(file);
  const vocabulary = [...text.matchAll(/^(?:export )?const (\w+) = \{$([^]*?)^\}/gm)].find(([, , body]) =>
    new RegExp(`^  ${eventType}: event\\(`, 'm').test(body),
  )?.[1];
  const payloads = new RegExp(`^export type (\\w+) = PayloadsOf<typeof ${vocabulary}>`, 'm').exec(text)?.[1];
  if (payloads === undefined)
    throw new Refused(`${file} exports no type of the payloads of ${eventType}: add PayloadsOf<…> to it`);
  return { file, payloads };
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

const projectionText = ({
  name,
  eventType,
  payloads,
  subpath,
}) => `import type { ${payloads} } from '${subpath}';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** How many events \`${eventType}\` a workspace has, and when the last one was recorded. */
export type ${pascal(name)}Document = {
  readonly workspaceId: number;
  readonly events: number;
  readonly lastAt: string;
};

export const ${camel(name)} = projection<${pascal(name)}Document, Pick<${payloads}, '${eventType}'>>()({
  name: '${name}',
  version: 1,
  indexes: { newestFirst: ['workspaceId', 'lastAt'] },
  key: (event) => String(workspaceIdOf(event)),
  on: {
    ${eventType}: (before, event) => ({
      workspaceId: workspaceIdOf(event),
      events: (before?.events ?? 0) + 1,
      lastAt: recordedAtOf(event),
    }),
  },
});
`;

const specText = ({ name, eventType }) => `import { foldAll } from '#kernel/testing/project.js';
import { ${camel(name)} } from './${name}.projection.js';

const happened = (workspaceId: string, recordedAt: string) => ({
  type: '${eventType}',
  data: {},
  metadata: { workspaceId, recordedAt },
});

describe('the ${name.replaceAll('-', ' ')}', () => {
  it('count the events of each workspace', () => {
    const documents = foldAll(${camel(name)}, [
      happened('5', '2026-01-05T10:00:00.000Z'),
      happened('6', '2026-01-05T11:00:00.000Z'),
      happened('5', '2026-01-05T12:00:00.000Z'),
    ]);
    expect(documents.get('5')).toEqual({ workspaceId: 5, events: 2, lastAt: '2026-01-05T12:00:00.000Z' });
    expect(documents.get('6')).toEqual({ workspaceId: 6, events: 1, lastAt: '2026-01-05T11:00:00.000Z' });
    expect(documents.size).toBe(2);
  });
});
`;
