import { fold } from '#kernel/values/text-folding.js';

/** Words that occur in questions about anything (D-80). */
const STOP_WORDS = new Set(
  (
    'a about already an and any are as at be been being by can could currently did do does doing for from had has ' +
    'have having how if in into is it its looking may might not of on or our plan planning plans run running runs ' +
    'should such than that the their them there these they this those to use used uses using was we were what when ' +
    'where which who whom whose why will with would you your company companies'
  ).split(' '),
);
const WORDS = /[\p{L}\p{M}\p{N}_]+/gu;
const ONE_CHARACTER = /^.$/u;

/** The words of a text that describe its subject, without duplicates, in their order (D-80). */
export function questionWords(text: string): readonly string[] {
  const words = new Set(fold(text).match(WORDS));
  return [...words].filter((word) => !STOP_WORDS.has(word) && !ONE_CHARACTER.test(word));
}
