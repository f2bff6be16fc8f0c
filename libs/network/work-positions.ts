import { SENIORITIES } from '#kernel/values/seniorities.js';
import { characterKind, fold, NO_WORD } from '#kernel/values/text-folding.js';
import type { Experience } from './observation.js';

/** The name of a company by its ref; null if unknown. */
export type CompanyNames = (companyRef: string) => string | null;

/**
 * D-24: whether two positions are at one company, null if that is unknown. Refs decide if both have one, otherwise
 * names.
 */
export function isSameCompany(one: Experience, other: Experience, nameOf: CompanyNames): boolean | null {
  if (one.companyRef !== null && other.companyRef !== null) return one.companyRef === other.companyRef;
  const [name, otherName] = [companyNameOf(one, nameOf), companyNameOf(other, nameOf)];
  return name === null || otherName === null ? null : name === otherName;
}

/** D-11: a blank text is as unknown as none. */
export const isKnown = (text: string | null): text is string => text !== null && fold(text) !== '';

/** The name that a position gives its company; null if it is unknown. */
export const nameGiven = ({ companyName }: Pick<Experience, 'companyName'>): string | null =>
  isKnown(companyName) ? companyName : null;

function companyNameOf(position: Experience, nameOf: CompanyNames): string | null {
  const { companyRef } = position;
  const name = nameGiven(position) ?? (companyRef === null ? null : nameOf(companyRef));
  return isKnown(name) ? fold(name) : null;
}

/** D-20: titles are equal if their word characters are; two unknown titles count as equal. */
export function isSameTitle(one: string | null, other: string | null): boolean {
  return titleWords(one) === titleWords(other);
}

/** The runs of word characters of the folded title, joined by spaces. */
function titleWords(title: string | null): string {
  let words = '';
  let isOpen = false;
  for (const character of fold(title ?? '')) {
    const isWord = characterKind(character.codePointAt(0) ?? 0) !== NO_WORD;
    if (isWord) words += `${isOpen || words === '' ? '' : ' '}${character}`;
    isOpen = isWord;
  }
  return words;
}

/** D-23: 0 is the highest; null for a text that is none of them. */
export function seniorityRank(seniority: string | null): number | null {
  const wanted = fold(seniority ?? '').replace(/[ -]/g, '_');
  const rank = SENIORITIES.findIndex((each) => each === wanted);
  return rank === -1 ? null : rank;
}
