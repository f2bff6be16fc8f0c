import type { LookupAddress } from 'node:dns';
import { fairLookups } from './fair-lookups.js';

const FOUND: readonly LookupAddress[] = [{ address: '1.1.1.1', family: 4 }];
const SILENT_MS = 10_000;

/** Two threads, as those of Node.js: a name with `dead` in it occupies one until `expire`. */
function pool() {
  let nowMs = 0;
  const started: string[] = [];
  const waiting: (() => void)[] = [];
  const occupying: (() => void)[] = [];
  let free = 2;
  const begin = (work: () => void): void => {
    if (free === 0) waiting.push(() => begin(work));
    else {
      free -= 1;
      work();
    }
  };
  const end = (): void => {
    free += 1;
    waiting.shift()?.();
  };
  return {
    started,
    nowMs: () => nowMs,
    resolve: (name: string) =>
      new Promise<readonly LookupAddress[]>((found, fail) => {
        begin(() => {
          started.push(name);
          if (!name.includes('dead')) {
            end();
            found(FOUND);
            return;
          }
          occupying.push(() => {
            end();
            fail(new Error('no answer'));
          });
        });
      }),
    /** All running look-ups of dead names end, ten seconds later. */
    async expire(): Promise<void> {
      await settled();
      nowMs += SILENT_MS;
      for (const each of occupying.splice(0)) each();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('look-ups of names', () => {
  const dead = ['dead-1.test', 'dead-2.test', 'dead-3.test', 'dead-4.test'];

  it('of which many do not end do not delay others, from the second time on', async () => {
    const given = pool();
    const lookUp = fairLookups(given.resolve, given.nowMs);
    const first = Promise.allSettled(dead.map(lookUp));
    for (let each = 0; each < dead.length; each += 1) await given.expire();
    expect((await first).map(({ status }) => status)).toEqual(dead.map(() => 'rejected'));
    const again = Promise.allSettled(dead.map(lookUp));
    expect(await Promise.race([lookUp('healthy.test'), settled()])).toEqual(FOUND);
    for (let each = 0; each < dead.length; each += 1) {
      await given.expire();
      expect(await Promise.race([lookUp(`healthy-${each}.test`), settled()])).toEqual(FOUND);
    }
    await again;
    expect(dead.map((name) => given.started.filter((one) => one === name).length)).toEqual([2, 2, 2, 2]);
  });

  it('are made once for all that ask at the same time', async () => {
    const given = pool();
    const lookUp = fairLookups(given.resolve, given.nowMs);
    const both = Promise.allSettled([lookUp('dead.test'), lookUp('dead.test')]);
    await given.expire();
    expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(given.started).toEqual(['dead.test']);
  });

  it('of a name are not delayed any more once its servers have answered again', async () => {
    const given = pool();
    let isDead = true;
    const resolve = (name: string) => given.resolve(isDead && name === 'a.test' ? 'dead' : name);
    const lookUp = fairLookups(resolve, given.nowMs);
    const failed = Promise.allSettled([lookUp('a.test')]);
    await given.expire();
    await failed;
    isDead = false;
    expect(await lookUp('a.test')).toEqual(FOUND);
    const other = Promise.allSettled([lookUp('dead.test')]);
    await settled();
    expect(await Promise.race([lookUp('a.test'), settled()])).toEqual(FOUND);
    await given.expire();
    await other;
  });
});
