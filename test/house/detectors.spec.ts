import { bears, canDetect, detectorNamed, detectors } from '#signals/detection/detectors.js';
import { AGENT_TYPES, agentTypes, type AgentTypeRow } from '#signals/domain/agents/agent-types.js';
import { shippedCatalogue, templatesOf } from '#catalogue/domain/templates/catalogue-file.js';
import { expectNone } from './expect-none.js';
import { exportsOf } from './house.js';

const templates = templatesOf(shippedCatalogue());

describe('the detectors of the house', () => {
  it('are one file each, and all in the registry, under a name of their own', async () => {
    const declared = await exportsOf('libs/signals/detection', '.detector.ts');
    expect(detectors.length).toBeGreaterThan(0);
    const registered = new Set<unknown>(detectors);
    expectNone(
      declared.filter(({ value }) => !registered.has(value)).map(({ file }) => file),
      'list these detectors in libs/signals/detection/detectors.ts',
    );
    expect(new Set(declared.map(({ value }) => value))).toEqual(registered);
    expect(new Set(detectors.map(({ kind }) => kind)).size).toBe(detectors.length);
  });

  it('match each template of the catalogue by at most one mark, and have no mark without a template', () => {
    const marks = detectors.flatMap((detector) => detector.templates.map((mark) => ({ detector, mark })));
    const bearing = marks.map(({ detector, mark }) => ({
      mark: `${detector.kind} ${JSON.stringify(mark)}`,
      keys: templates
        .filter(({ content }) => bears(mark, content.detector, content.fields))
        .map(({ key }) => key),
    }));
    expectNone(
      bearing.filter(({ keys }) => keys.length === 0).map(({ mark }) => mark),
      'no shipped template bears these marks: add the template to the catalogue, or take the mark away',
    );
    const keys = bearing.flatMap((entry) => entry.keys);
    expect(keys.length).toBeGreaterThan(0);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('find what the rows of agent types ask of them, or the type is refused', () => {
    for (const type of AGENT_TYPES) {
      const row: AgentTypeRow = agentTypes[type];
      for (const parameters of [{}, { mode: 'all' }, { mode: 'lead_discovery' }]) {
        for (const asked of [row.detection(parameters), row.pass(parameters)]) {
          const detector = asked === null ? null : detectorNamed(asked.detector);
          if (asked === null || detector === null) continue;
          expect([type, parameters, canDetect(detector, { ...asked, parameters: {} })]).toEqual([
            type,
            parameters,
            true,
          ]);
        }
      }
    }
  });
});
