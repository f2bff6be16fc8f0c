import { loopTurn } from './loop-turn.js';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the end of a turn of the event loop', () => {
  it('writes once for all that was decided in it, before anything of the next turn is decided', async () => {
    const { toDecide, toWrite } = loopTurn();
    const done: string[] = [];
    let isWriting = false;
    const write = async (): Promise<void> => {
      if (isWriting) return;
      isWriting = true;
      await toWrite();
      isWriting = false;
      done.push('write');
    };
    const decide = async (name: string): Promise<void> => {
      await toDecide();
      done.push(name);
      await write();
    };
    const first = decide('first');
    const second = toDecide().then(() => {
      void decide('of the next turn');
      done.push('second');
      return write();
    });
    expect(done).toEqual([]);
    await nextTurn();
    await Promise.all([first, second]);
    expect(done).toEqual(['first', 'second', 'write']);
    await nextTurn();
    expect(done).toEqual(['first', 'second', 'write', 'of the next turn', 'write']);
  });

  it('does not keep waiting who writes where nothing is to be decided', async () => {
    const { toWrite } = loopTurn();
    let isWritten = false;
    void toWrite().then(() => (isWritten = true));
    expect(isWritten).toBe(false);
    await nextTurn();
    expect(isWritten).toBe(true);
  });

  it('is not shared: a caller that stops in the middle of a turn blocks no other', async () => {
    const { setImmediate: real } = globalThis;
    const stopped = loopTurn();
    try {
      Object.assign(globalThis, { setImmediate: () => undefined });
      void stopped.toDecide();
    } finally {
      globalThis.setImmediate = real;
    }
    const done: string[] = [];
    void stopped.toWrite().then(() => done.push('of the stopped'));
    void loopTurn()
      .toWrite()
      .then(() => done.push('of another'));
    await nextTurn();
    expect(done).toEqual(['of another']);
  });
});
