/** The least index for which a monotonic condition is true (it is true for all later ones); `length` if for none. */
export function leastOf(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
