// with the u flag \p{Cs} matches only surrogates without their partner
const UNSTORABLE = /[\0\p{Cs}]/u;

/** True for text that a store may refuse or change: NUL characters, lone surrogates. */
export function hasUnstorableText(text: string): boolean {
  return UNSTORABLE.test(text);
}
