/** The first `length` characters (code points: no pair of surrogates is cut in two). */
export function firstCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  return Array.from(text.slice(0, length * 2))
    .slice(0, length)
    .join('');
}
