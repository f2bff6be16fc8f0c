// with the u flag \p{Cs} matches surrogates without their partner only
const UNSTORABLE = /[\0\p{Cs}]/u;

/** True for text that a store may refuse or change: NUL characters, lone surrogates. */
export function hasUnstorableText(text: string): boolean {
  return UNSTORABLE.test(text);
}
