import { DAY_MS } from '#kernel/values/durations.js';
import { agentTypes } from '#signals/domain/agents/agent-types.js';
import { championSearch } from './career/champion-search.js';
import { narrowing } from './career/narrowing.js';
import { detector, type DetectorRun } from './detector.js';
import type { ListedPerson } from './watched.js';

/** A checked champion is skipped for this long (D-52). */
const PASSED_OVER_MS = 30 * DAY_MS;
/** In a longer list only the members with the lowest ids are remembered as checked; the others are read each time. */
const MOST_REMEMBERED = 20_000;

/** Champions who change their job, for agents: each is checked once in 30 days. */
export const championTrackingDetector = detector({
  kind: 'champion_tracking',
  signalTypes: ['championJobChange'],
  directions: ['single'],
  audiences: ['list_members'],
  arrivals: [],
  templates: [],
  parameters: agentTypes.champion_tracking.parameters,
  async search(run) {
    const champions = await championsDue(run);
    const narrow = narrowing(run, run.parameters);
    const search = championSearch(run, champions, narrow);
    const memberIds = [...new Set(champions.map(({ memberId }) => memberId))].sort((a, b) => a - b);
    return {
      ...search,
      read: async (position, limit) => ({
        ...(await search.read(position, limit)),
        ...(position === null && memberIds.length > 0 && { checked: memberIds.slice(0, MOST_REMEMBERED) }),
      }),
    };
  },
});

/** Members of the list that no run of this agent checked in the last 30 days. */
async function championsDue({
  watched,
  checkedAfter,
  now,
}: DetectorRun<unknown>): Promise<readonly ListedPerson[]> {
  const champions = await watched.people();
  const memberIds = champions.map(({ memberId }) => memberId);
  const checked = await checkedAfter(memberIds, new Date(now.getTime() - PASSED_OVER_MS));
  return champions.filter(({ memberId }) => !checked.has(memberId));
}
