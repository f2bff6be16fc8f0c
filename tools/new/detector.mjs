import { camel, isThere, listed, Refused, requireName, textOf } from './house-files.mjs';

const FOLDER = 'libs/signals/detection';
const REGISTRY = `${FOLDER}/detectors.ts`;
const PORT = 'libs/network/network-source.port.ts';

/** A detector of one kind of company event, its spec and its lines in the registry. */
export function detector([kind, event]) {
  requireName('the kind of the detector', kind, /^[a-z]+(_[a-z]+)*$/, 'office_opened');
  const events = companyEventKinds();
  if (!events.includes(event))
    throw new Refused(
      `the kind of company event is one of ${events.join(', ')}, not ${JSON.stringify(event)}`,
    );
  const name = kind.replaceAll('_', '-');
  const file = `${FOLDER}/${name}.detector.ts`;
  if (isThere(file)) throw new Refused(`${file} is there`);
  const constant = `${camel(name)}Detector`;
  return {
    written: {
      [file]: detectorText({ kind, constant, event }),
      [`${FOLDER}/${name}.detector.spec.ts`]: specText({ name, kind, constant, event }),
    },
    changed: {
      [REGISTRY]: listed(textOf(REGISTRY), {
        importLine: `import { ${constant} } from './${name}.detector.js';`,
        lists: [{ begins: /export const detectors: readonly Detector\[\] = \[/, name: constant }],
      }),
    },
    next: [
      `implement the search in ${file} (docs/detection.md explains it), and mark its templates`,
      'add its proof to test/detection/proofs and its name to test/api/undetectable-signals.spec.ts: specs refuse a detector without them',
      `npm test -- ${name} house/detectors`,
    ],
  };
}

function companyEventKinds() {
  const [, union = ''] = /^export type CompanyEventKind = ([^;]*);/m.exec(textOf(PORT)) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, name]) => name);
}

const detectorText = ({ kind, constant, event }) => `import { Type } from '#kernel/values/schema.js';
import { companyEvents, textField } from './company-events.js';
import { detector } from './detector.js';

/** Events \`${event}\` of companies that have a description, oldest first. */
export const ${constant} = detector({
  kind: '${kind}',
  signalTypes: ['deepSearch'],
  directions: ['single'],
  audiences: ['market', 'covered_accounts'],
  arrivals: ['company_event'],
  // The marks of catalogue templates that use this detector; without one no setup can use it.
  templates: [],
  parameters: Type.Object({}),
  search(run) {
    return companyEvents(run, '${event}', ({ fields }) => {
      const description = textField(fields, 'description');
      // Other facts are declared in libs/signals/domain/runs/payload-facts.ts.
      return description === null ? null : { answer: description, facts: null };
    });
  },
});
`;

const specText = ({
  name,
  kind,
  constant,
  event,
}) => `import type { JsonObject } from '#kernel/values/json.js';
import { positionOf } from '#network/position.js';
import { ${constant} } from './${name}.detector.js';
import { sampleCompany, sampleRun } from './testing/sample-run.js';

const OCCURRED_AT = '2026-01-02T00:00:00.000Z';

describe('the detector ${kind}', () => {
  const found = async (fields: JsonObject) => {
    const observed = {
      position: positionOf({ at: Date.parse(OCCURRED_AT), ref: 'e:1', tie: '' }),
      reading: null,
      ref: 'e:1',
      rev: 1,
      event: '${event}' as const,
      companyRef: 'c:acme',
      company: sampleCompany({ ref: 'c:acme' }),
      fields,
      occurredAt: OCCURRED_AT,
    };
    const run = sampleRun({
      templateKey: '${name}',
      signalTypes: ['deepSearch'],
      source: { companyEvents: async () => ({ items: [observed], next: null }) },
      watched: { covered: async () => new Set(['c:acme']) },
    });
    return (await ${constant}.find(run, null, 50)).matches;
  };

  it('reports what the event contains', async () => {
    const matches = await found({ description: 'It happened' });
    expect(matches).toHaveLength(1);
    expect(matches[0]).toMatchObject({
      subject: 'company_event:e:1',
      signalDate: OCCURRED_AT,
      data: { answer: 'It happened', facts: null },
    });
  });

  it('finds nothing where nothing is said', async () => {
    expect(await found({})).toEqual([]);
    expect(await found({ description: 7 })).toEqual([]);
  });
});
`;
