let numbers = 0;

/** The demo fails when a number of the product differs from the count by hand. */
export function agree(what: string, product: unknown, byHand: unknown): void {
  numbers += 1;
  if (product === byHand) return;
  throw new Error(`${what}: the product says ${String(product)}, counted by hand it is ${String(byHand)}`);
}

/** How many numbers were compared, and agreed. */
export const agreed = (): number => numbers;
