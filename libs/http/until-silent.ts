/**
 * The pieces of a stream as they arrive. Throws the result of `silent` if none arrives for this long while one is
 * awaited; the time that the reader spends on a piece is not counted. The stream itself then stays open, so that an
 * answer can be sent.
 */
export async function* untilSilent<Piece>(
  stream: AsyncIterable<Piece>,
  longestSilenceMs: number,
  silent: () => Error,
): AsyncGenerator<Piece> {
  const pieces = stream[Symbol.asyncIterator]();
  for (;;) {
    const coming = pieces.next();
    const piece = await new Promise<IteratorResult<Piece>>((resolve, reject) => {
      const silence = setTimeout(() => reject(silent()), longestSilenceMs);
      // nothing reads a piece that arrives after the silence
      coming.finally(() => clearTimeout(silence)).then(resolve, reject);
    });
    if (piece.done === true) return;
    yield piece.value;
  }
}
