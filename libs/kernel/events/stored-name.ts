/** Whether a text can be the name of a stream or type. A lone surrogate would be stored as another character. */
export function isStoredName(text: string): boolean {
  return text !== '' && !/[\p{Surrogate}\0]/u.test(text);
}
