import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ReadCall } from './client-internals.js';
import { pull } from './pull.js';

describe('a pull', () => {
  const opened = () => {
    const source = new Readable({ objectMode: true, read: () => undefined });
    const call = Object.assign(source, { cancel: () => undefined });
    return {
      source,
      reading: pull(Promise.resolve(call), { itemOf: (text: string) => text, most: 10, stops: [] }),
    };
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

  it('is not over after an error, although the call has ended: the error is thrown once all before it is taken', async () => {
    const { source, reading } = opened();
    source.push('one');
    source.push(null);
    source.once('data', () => source.emit('error', new Error('dropped')));
    // `once` of Node would reject with the error.
    await new Promise((resolve) => source.once('end', resolve));
    expect([reading.take(1), reading.isOver()]).toEqual([['one'], false]);
    expect(() => reading.take(1)).toThrow('dropped');
  });

  it('is over once a call has ended without an error and everything was taken', async () => {
    const { source, reading } = opened();
    source.push('one');
    source.push(null);
    await once(source, 'end');
    expect([reading.isOver(), reading.take(1), reading.isOver()]).toEqual([false, ['one'], true]);
  });

  it('waits no longer for a call that never opens, and ends it if it opens after all', async () => {
    let open: (call: ReadCall) => void = () => undefined;
    const opening = new Promise<ReadCall>((resolve) => (open = resolve));
    const reading = pull(opening, { itemOf: (text: string) => text, most: 10, stops: [] });
    expect(await reading.arrival(1)).toBe(false);
    reading.close();
    await new Promise<void>((resolve) =>
      open(Object.assign(new Readable({ objectMode: true, read: () => undefined }), { cancel: resolve })),
    );
  });

  it.each([
    ['cancels a call that is left before everything has arrived', false, 1],
    ['lets the server end a call of which everything has arrived', true, 0],
  ])('%s', async (_, isWhole, expected) => {
    const { source, reading } = opened();
    let cancels = 0;
    Object.assign(source, { cancel: () => (cancels += 1) });
    source.push('one');
    await reading.arrival(60_000);
    reading.take(1);
    reading.close(isWhole);
    await setImmediate();
    expect(cancels).toBe(expected);
    source.push(null);
    await once(source, 'end');
  });

  it('throws the error of a call that could not be opened', async () => {
    const reading = pull(Promise.reject(new Error('no node')), { itemOf: String, most: 10, stops: [] });
    expect(await reading.arrival(60_000)).toBe(true);
    expect(() => reading.take(1)).toThrow('no node');
  });

  it('waits for records no longer than the given time', async () => {
    expect(await opened().reading.arrival(1)).toBe(false);
  });
});
