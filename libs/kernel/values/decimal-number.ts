const DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * The number of a text that a person wrote in decimal digits, with white space around it; NaN for any other text. `Number`
 * reads an empty text as 0, and `0x10` as 16.
 */
export const decimalNumber = (text: string): number =>
  DECIMAL.test(text.trim()) ? Number(text) : Number.NaN;
