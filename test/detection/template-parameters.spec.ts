import fc from 'fast-check';
import { detectorOfTemplate } from '#signals/detection/detectors.js';
import { shippedCatalogue, templatesOf } from '#catalogue/domain/templates/catalogue-file.js';
import { isRecord } from '../support/records.js';
import { proofs, provenElsewhere } from './proofs/proofs.js';

const live = templatesOf(shippedCatalogue()).filter(({ status, retired }) => status === 'live' && !retired);

/**
 * Every parameter that a schema declares, at its root or under a condition, and whether it is required at the root.
 */
function parametersOf(schema: unknown): readonly { readonly name: string; readonly isRequired: boolean }[] {
  if (!isRecord(schema)) return [];
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const own = isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const branches = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  const conditional = branches.flatMap((branch) =>
    isRecord(branch) ? parametersOf(branch['then']).map(({ name }) => ({ name, isRequired: false })) : [],
  );
  return [...own.map((name) => ({ name, isRequired: required.includes(name) })), ...conditional];
}

const rows = live.flatMap(({ key, content }) => {
  const detector = detectorOfTemplate(content.detector, content.fields);
  const isElsewhere = detector === null || provenElsewhere.random.includes(detector.kind);
  return isElsewhere
    ? []
    : parametersOf(content.fields).map((parameter) => ({ key, kind: detector.kind, ...parameter }));
});

describe('the parameters of live templates', () => {
  it('are those of 26 templates', () => {
    expect(live).toHaveLength(26);
    expect(rows.length).toBeGreaterThan(25);
  });

  it.each(rows)(
    '$key $name is tried on random networks, both present and absent',
    ({ key, kind, name, isRequired }) => {
      const launches = proofs
        .filter((proof) => proof.kind === kind)
        .flatMap(({ random }) =>
          random === undefined ? [] : fc.sample(random.launch, { seed: 1, numRuns: 200 }),
        )
        .filter(({ templateKey }) => templateKey === null || templateKey === key);
      // A list is the subject of a launch, and no parameter of the detector.
      const has = launches.map((launch) =>
        name === 'list_id'
          ? launch.listed !== null || launch.champions !== undefined
          : launch.parameters[name] !== undefined,
      );
      expect(has).toContain(true);
      if (!isRequired) expect(has).toContain(false);
    },
  );
});
