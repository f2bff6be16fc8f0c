let numbers = 0;

/** The demo fails if a number of the product differs from the independent count. */
export function agree(what: string, product: unknown, byHand: unknown): void {
  numbers += 1;
  if (product === byHand) return;
  throw new Error(`${what}: the product says ${String(product)}, counted by hand it is ${String(byHand)}`);
}

/** The number of compared numbers, all equal. */
export const agreed = (): number => numbers;
