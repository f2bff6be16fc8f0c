import { untilSilent } from './until-silent.js';

const silent = (): Error => new Error('silent');
const never = new Promise<never>(() => undefined);

async function taken<Piece>(stream: AsyncIterable<Piece>, into: Piece[], each?: () => Promise<unknown>) {
  for await (const piece of stream) {
    into.push(piece);
    await each?.();
  }
}

describe('a stream with a limit of silence', () => {
  it('ends with an error after a silence, and keeps the received pieces', async () => {
    async function* stream() {
      yield 1;
      await never;
    }
    const pieces: number[] = [];
    await expect(taken(untilSilent(stream(), { silenceMs: 20 }, silent), pieces)).rejects.toThrow('silent');
    expect(pieces).toEqual([1]);
  });

  it('may take any time while pieces keep arriving, and so may its reader', async () => {
    const silenceMs = 200;
    const startedAt = performance.now();
    const since = () => performance.now() - startedAt;
    async function* stream() {
      // many pauses that together are longer than one silence may be
      for (let piece = 0; since() < 2 * silenceMs; piece += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield piece;
      }
      yield -1;
    }
    const pieces: number[] = [];
    const slowly = async (): Promise<void> => {
      if (pieces.at(-1) === -1) await new Promise((resolve) => setTimeout(resolve, 2 * silenceMs));
    };
    await taken(untilSilent(stream(), { silenceMs }, silent), pieces, slowly);
    expect(pieces.at(-1)).toBe(-1);
  });

  it('ends with an error if the whole takes too long, whether its pieces come slowly or at once', async () => {
    for (const pause of [() => new Promise((resolve) => setTimeout(resolve, 5)), () => Promise.resolve()]) {
      const startedAt = performance.now();
      async function* stream() {
        while (performance.now() - startedAt < 1_000) yield pause();
      }
      const limits = { silenceMs: 1_000, withinMs: 50 };
      await expect(taken(untilSilent(stream(), limits, silent), [])).rejects.toThrow('silent');
    }
  });

  it('ends with the error of the stream itself', async () => {
    async function* stream() {
      yield 1;
      throw new Error('cut');
    }
    await expect(taken(untilSilent(stream(), { silenceMs: 1_000 }, silent), [])).rejects.toThrow('cut');
  });
});
