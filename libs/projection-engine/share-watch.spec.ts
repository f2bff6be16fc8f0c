import { shareWatch } from './share-watch.js';

describe('the watch of shares', () => {
  let nowMs = 1_000;
  const planned = ['one', 'two'].map((name) => ({ name, holder: `worker ${name}`, from: 0, size: 32 }));
  const at = (one: string, two: string) => [
    { name: 'one', position: one },
    { name: 'two', position: two },
  ];
  const opened = () => {
    const watch = shareWatch(100, () => nowMs);
    const stalled = (one: string, two: string, reached: string): readonly string[] =>
      watch.stalled(planned, at(one, two), reached).map(({ name }) => name);
    return { ...watch, stalled };
  };

  it('finds the share that has not moved for so long while the share of the leader moved on', () => {
    const { stalled } = opened();
    expect(stalled('1', '1', '2')).toEqual([]);
    nowMs += 99;
    expect(stalled('1', '1', '3')).toEqual([]);
    nowMs += 1;
    expect(stalled('2', '1', '4')).toEqual(['two']);
  });

  it('finds no share that waits for events, and counts from the moment when it is behind', () => {
    const { stalled } = opened();
    expect(stalled('1', '1', '1')).toEqual([]);
    nowMs += 500;
    expect(stalled('1', '1', '2')).toEqual([]);
    nowMs += 99;
    expect(stalled('1', '2', '2')).toEqual([]);
    nowMs += 1;
    expect(stalled('1', '2', '3')).toEqual(['one']);
  });

  it('counts anew when a plan begins', () => {
    const { stalled, restart } = opened();
    stalled('1', '1', '2');
    nowMs += 100;
    restart();
    expect(stalled('1', '1', '2')).toEqual([]);
  });
});
