/** The least index from 0 of which something holds, as it holds of all that follow; `length` where it holds of none. */
export function leastOf(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
