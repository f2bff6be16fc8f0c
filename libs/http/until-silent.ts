/**
 * The pieces of a stream as they arrive. Throws the result of `silent` if none arrives for `silenceMs` while one is
 * awaited; the time that the reader spends on a piece is not counted. With `withinMs` it also throws if the whole
 * stream takes longer. The stream itself then stays open, so that an answer can be sent.
 */
export async function* untilSilent<Piece>(
  stream: AsyncIterable<Piece>,
  { silenceMs, withinMs = Infinity }: { readonly silenceMs: number; readonly withinMs?: number },
  silent: () => Error,
): AsyncGenerator<Piece> {
  const pieces = stream[Symbol.asyncIterator]();
  const endsAt = performance.now() + withinMs;
  for (;;) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw silent();
    const coming = pieces.next();
    const piece = await new Promise<IteratorResult<Piece>>((resolve, reject) => {
      const silence = setTimeout(() => reject(silent()), Math.min(silenceMs, leftMs));
      // nothing reads a piece that arrives after the silence
      coming.finally(() => clearTimeout(silence)).then(resolve, reject);
    });
    if (piece.done === true) return;
    yield piece.value;
  }
}
