import { unfollowed } from '#kernel/ports/tracing.port.js';
import { stepsInTurn } from './steps-in-turn.js';

/** Work that ends when the test ends it. */
function held(name: string, log: string[]) {
  let end = (): void => {};
  let fail = (_error: Error): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const work = async (): Promise<string> => {
    log.push(name);
    await ended;
    return name;
  };
  return { work, end, fail };
}

/** Lets all work run that does not wait. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('steps in turn', () => {
  it('run two at a time if the limit is two; a failed step frees its slot, and steps of other names are not limited', async () => {
    const log: string[] = [];
    const step = stepsInTurn(unfollowed, 'record', 2);
    const [first, second] = [held('first', log), held('second', log)];
    const [third, fourth] = [held('third', log), held('fourth', log)];
    const other = held('other', log);
    const outcomes = [first, second, third, fourth].map(({ work }) => step('record', {}, work));
    const aside = step('look', {}, other.work);
    await settled();
    expect(log.toSorted()).toEqual(['first', 'other', 'second']);
    second.fail(new Error('no store'));
    await expect(outcomes[1]).rejects.toThrow('no store');
    await settled();
    expect(log.slice(3)).toEqual(['third']);
    for (const { end } of [first, third, fourth, other]) end();
    expect(await Promise.all([outcomes[0], outcomes[2], outcomes[3], aside])).toEqual([
      'first',
      'third',
      'fourth',
      'other',
    ]);
    expect(log.slice(3)).toEqual(['third', 'fourth']);
  });
});
