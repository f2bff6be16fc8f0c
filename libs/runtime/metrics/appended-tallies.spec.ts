import { appendedTallies, countedPart } from './appended-tallies.js';

const completed = (dropped: number, dryBy?: 'cap' | 'budget') => ({
  id: '00000000-0000-4000-8000-000000000001',
  type: 'BatchCompleted',
  data: { batch: 1, dropped, dry: dropped > 0, ...(dryBy !== undefined && { dryBy }) },
  metadata: {},
});

describe('the tallies of appended events', () => {
  it('begin with a zero for each outcome, trigger and reason, so that the first one is an increase', () => {
    const { launchedRuns, endedRuns, droppedMatches } = appendedTallies();
    expect(Object.fromEntries(launchedRuns.entries())).toEqual({ manual: 0, schedule: 0, monitoring: 0 });
    expect(Object.fromEntries(endedRuns.entries())).toEqual({
      completed: 0,
      completed_partial: 0,
      failed: 0,
    });
    expect(Object.fromEntries(droppedMatches.entries())).toEqual({ credits: 0, cap: 0, budget: 0 });
  });

  it('have dropped matches by what stopped the payment, also of events that a thread counts', () => {
    const { note, droppedMatches } = appendedTallies();
    note([completed(3), completed(2, 'cap'), completed(0)]);
    note([completed(5, 'budget')].map(countedPart));
    expect(Object.fromEntries(droppedMatches.entries())).toEqual({ credits: 3, cap: 2, budget: 5 });
  });
});
