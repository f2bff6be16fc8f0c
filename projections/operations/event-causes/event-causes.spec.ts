import { foldAll } from '#kernel/testing/project.js';
import { sampleLaunch } from '#projections/testing/sample-events.js';
import { eventCauses } from './event-causes.projection.js';

describe('the places of events that cause others', () => {
  it('are found by the id that the others name', () => {
    const documents = foldAll(eventCauses, [
      { type: 'RunEnded', data: {}, id: 'end', stream: 'agent-1_7' },
      { type: 'RunLaunched', data: sampleLaunch(), id: 'launch', stream: 'agent-1_7' },
    ]);
    expect([...documents]).toEqual([
      ['launch', { type: 'RunLaunched', stream: 'agent-1_7', revision: 1, position: '000000000001' }],
    ]);
  });
});
