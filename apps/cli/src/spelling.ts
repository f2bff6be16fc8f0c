/**
 * The words of a call in their declared spelling: commands and options have dashes, and their names in the API and
 * documents, with underscores, mean the same. Values are unchanged.
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
