import { setTimeout } from 'node:timers/promises';
import { rest } from './rest.js';

const LONG_MS = 60_000;

describe('the rest of a worker', () => {
  it('is ended by a wake, which does not end the next one too', async () => {
    const resting = rest();
    const first = resting.upTo(LONG_MS);
    resting.wake();
    resting.wake();
    await first;
    await expectLasting(resting);
  });

  it('is not taken by a worker that was woken while it worked', async () => {
    const resting = rest();
    const first = resting.upTo(LONG_MS);
    resting.wake();
    await first;
    resting.wake();
    await resting.upTo(LONG_MS);
    await expectLasting(resting);
  });
});

/** The next wait does not end before it is woken. */
async function expectLasting(resting: ReturnType<typeof rest>): Promise<void> {
  let isOver = false;
  const wait = resting.upTo(LONG_MS).then(() => (isOver = true));
  // A shorter wait would have begun, and so have ended, before this one.
  await setTimeout(1);
  expect(isOver).toBe(false);
  resting.wake();
  await wait;
}
