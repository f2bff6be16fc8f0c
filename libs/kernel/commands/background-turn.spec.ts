import {
  backgroundTurn,
  beforeBackgroundWork,
  noteDecisions,
  quietTurn,
  whileAppending,
} from './background-turn.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('turns of background work', () => {
  it('resolves one call in each turn of the event loop, in the order of the calls', async () => {
    const done: string[] = [];
    for (const name of ['first', 'second', 'third']) void backgroundTurn().then(() => done.push(name));
    const seen: string[][] = [];
    while (done.length < 3) {
      await turn();
      seen.push([...done]);
    }
    expect(seen.filter((names, index) => names.length !== seen[index - 1]?.length)).toEqual([
      ['first'],
      ['first', 'second'],
      ['first', 'second', 'third'],
    ]);
  });

  it('calls what comes first before each piece, until that is taken back', async () => {
    const order: string[] = [];
    const forget = beforeBackgroundWork(() => order.push('answers'));
    await backgroundTurn().then(() => order.push('piece'));
    await backgroundTurn().then(() => order.push('piece'));
    forget();
    await backgroundTurn().then(() => order.push('piece'));
    expect(order).toEqual(['answers', 'piece', 'answers', 'piece', 'piece']);
  });

  it('continues after a turn without decisions', async () => {
    let turns = 0;
    let isOver = false;
    const quiet = quietTurn(60_000).then(() => (isOver = true));
    while (turns < 5) {
      turns += 1;
      noteDecisions();
      await turn();
    }
    expect(isOver).toBe(false);
    await quiet;
    expect(isOver).toBe(true);
  });

  it('continues in spite of decisions when its time is over', async () => {
    let isOver = false;
    const quiet = quietTurn(0).then(() => (isOver = true));
    while (!isOver) {
      noteDecisions();
      await turn();
    }
    await quiet;
    expect(isOver).toBe(true);
  });

  it('continues when no append waits for its answer', async () => {
    let isOver = false;
    const answers: (() => void)[] = [];
    const appends = [1, 2].map(() =>
      whileAppending(() => new Promise<void>((resolve) => answers.push(resolve))),
    );
    const quiet = quietTurn(60_000).then(() => (isOver = true));
    for (const answer of answers) {
      for (let turns = 0; turns < 5; turns += 1) await turn();
      expect(isOver).toBe(false);
      answer();
    }
    await Promise.all([...appends, quiet]);
    expect(isOver).toBe(true);
  });

  it('continues in spite of an append without an answer when its time is over', async () => {
    let answer = (): void => undefined;
    const append = whileAppending(() => new Promise<void>((resolve) => (answer = resolve)));
    await quietTurn(1);
    answer();
    await append;
  });

  it('continues in spite of an append that has no answer for long', async () => {
    void whileAppending(() => new Promise<void>(() => undefined));
    await quietTurn(60_000);
  });

  it('is not delayed by an append that failed', async () => {
    await expect(whileAppending(() => Promise.reject(new Error('no server')))).rejects.toThrow('no server');
    await quietTurn(60_000);
  });
});
