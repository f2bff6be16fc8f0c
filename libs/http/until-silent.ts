/**
 * The pieces of a stream as they come. Throws what `silent` says when none comes for so long while one is waited for;
 * the time that the reader takes over a piece is not counted. The stream itself is left open then, for an answer.
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
      // what comes after the silence has nobody to read it
      coming.finally(() => clearTimeout(silence)).then(resolve, reject);
    });
    if (piece.done === true) return;
    yield piece.value;
  }
}
