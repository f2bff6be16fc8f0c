import { loadMeter } from './load-meter.js';

describe('the load of a subscription', () => {
  let nowMs = 1_000;
  const batch = (events: number, caughtUp: boolean) => ({
    events: Array(events).fill(null) as never[],
    caughtUp,
  });

  it('counts the time since the last batch that reached the end of the log', () => {
    const meter = loadMeter(() => nowMs);
    meter.note(batch(5, false));
    nowMs += 300;
    expect(meter.behindMs()).toBe(300);
    meter.note(batch(5, false));
    nowMs += 200;
    expect(meter.behindMs()).toBe(500);
    meter.note(batch(5, true));
    nowMs += 100;
    expect(meter.behindMs()).toBe(0);
  });

  it('counts the events per second since it was restarted', () => {
    const meter = loadMeter(() => nowMs);
    expect(meter.rate()).toBe(0);
    meter.note(batch(30, true));
    nowMs += 2_000;
    expect(meter.rate()).toBe(15);
    meter.restart();
    meter.note(batch(1, true));
    nowMs += 500;
    expect(meter.measuredMs()).toBe(500);
    expect(meter.rate()).toBe(2);
  });
});
