import { StreamMemory } from '#kernel/commands/stream-memory.js';
import { EventLog, memoryEventStore } from '#test/simulation/memory-event-store.js';

describe('the memory of a stream', () => {
  it('weighs an event by the text that it carries, however deep it stands', () => {
    let weight = 0;
    const memory = new StreamMemory(
      'note-1',
      { category: 'note', scope: 'global', vocabulary: {}, on: {}, initial: () => null },
      {
        eventStore: memoryEventStore(new EventLog()),
        onWeight: (difference) => (weight += difference),
        snapshots: null,
        onSnapshotFailure: () => undefined,
      },
    );
    const fold = (text: string): void =>
      memory.speculate({ id: 'x', type: 'Noted', data: { a: 1, deep: [{ text }] }, metadata: {} });
    fold('');
    const small = weight;
    fold('x'.repeat(65_536));
    expect(weight - small).toBe(small + 65_536);
    memory.forget();
    expect(weight).toBe(0);
  });
});
