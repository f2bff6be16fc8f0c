import { backgroundTurn, beforeBackgroundWork, noteDecisions, quietTurn } from './background-turn.js';

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
});
