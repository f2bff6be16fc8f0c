import { inPieces, inPiecesOfBytes, inPiecesOfWeight } from './pieces.js';

describe('items in pieces', () => {
  it('keep their order and fill every piece but the last', () => {
    expect(inPieces([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
    expect(inPieces([], 2)).toEqual([]);
  });

  it('stay under so many bytes a piece, in UTF-8', () => {
    // `"é"` is four bytes.
    expect(inPiecesOfBytes(['é', 'é', 'é'], 10, 8)).toEqual([['é', 'é'], ['é']]);
    expect(inPiecesOfBytes(['é', 'é', 'é'], 1, 100)).toEqual([['é'], ['é'], ['é']]);
  });

  it('put an item above the limit into its own piece', () => {
    expect(inPiecesOfBytes(['a', 'bbbbbbbbbb', 'c'], 10, 6)).toEqual([['a'], ['bbbbbbbbbb'], ['c']]);
    expect(inPiecesOfBytes([], 10, 6)).toEqual([]);
  });

  it('stay under a weight a piece, and a heavier item is a piece', () => {
    expect(inPiecesOfWeight([2, 2, 9, 0, 1], 2, 4, (weight) => weight)).toEqual([[2, 2], [9], [0, 1]]);
  });
});
