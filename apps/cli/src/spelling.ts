/**
 * The words of a call as they are declared: commands and options are written with dashes, and the names that the API
 * and the documents have for them, with underscores, mean the same. Values are left as they are.
 */
export function asSpelt(words: readonly string[]): readonly string[] {
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  return words.map((word, place) => {
    if (place >= end) return word;
    // group and command come first
    if (place < 2 && !word.startsWith('-')) return dashed(word);
    const [option = '', ...value] = word.split('=');
    return option.startsWith('--') ? [dashed(option), ...value].join('=') : word;
  });
}

const dashed = (word: string): string => word.replaceAll('_', '-');
