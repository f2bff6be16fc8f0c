import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { pull } from './pull.js';

describe('a pull', () => {
  const opened = () => {
    const source = new Readable({ objectMode: true, read: () => undefined });
    const call = Object.assign(source, { cancel: () => undefined });
    return { source, reading: pull(call, { itemOf: (text: string) => text, most: 10, stops: [] }) };
  };

  it('does not wait for further records after an error that came with the last ones', async () => {
    const { source, reading } = opened();
    // The error comes after the wake for the records and before the reader continues.
    source.once('data', () => source.emit('error', new Error('dropped')));
    source.push('one');
    expect(await reading.arrival(60_000)).toBe(true);
    expect(reading.take(10)).toEqual(['one']);
    let isOver = false;
    void reading.arrival(60_000).then((woken) => (isOver = woken));
    await setImmediate();
    expect(isOver).toBe(true);
    expect(() => reading.take(10)).toThrow('dropped');
  });

  it('waits for records no longer than it is told to', async () => {
    expect(await opened().reading.arrival(1)).toBe(false);
  });
});
