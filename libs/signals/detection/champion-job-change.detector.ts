import { OneOf, Type } from '#kernel/values/schema.js';
import { championSearch } from './career/champion-search.js';
import { detector } from './detector.js';

/** Champions who change their job, for setups: each launch reads all of them (D-53). */
export const championJobChangeDetector = detector({
  kind: 'champion_job_change',
  signalTypes: ['championJobChange'],
  directions: ['single'],
  audiences: ['list_members'],
  arrivals: [],
  templates: [{ kind: 'champion_move', signalTypes: ['championJobChange'], listType: 'champion' }],
  parameters: Type.Object({
    moves: Type.Optional(Type.Array(OneOf('departure', 'new_company', 'promotion'))),
  }),
  async search(run) {
    const { moves = [] } = run.parameters;
    return championSearch(run, await run.watched.people(), async (changes) =>
      changes.filter(({ change }) => moves.length === 0 || moves.includes(change)),
    );
  },
});
