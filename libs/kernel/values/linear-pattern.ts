import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** The part of a pattern that a JSON Schema needs. */
export type LinearPattern = { readonly test: (text: string) => boolean };

/** White space and its complement as JavaScript has them; RE2 has ASCII only. */
const SPACE =
  '\\t-\\r\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const NO_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}' +
  '\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';
const ANY_OF_A_LINE = '[^\\n\\r\\x{2028}\\x{2029}]';
/** Loaded with the first pattern: its tables would be a fifth of every start. */
const require = createRequire(import.meta.url);
const TOKEN = /\\[^]|[^]/gu;

/**
 * A pattern as JavaScript reads it under the flag `u`, run by automata: the time is linear in the length of the text for
 * every pattern. Throws for a pattern that needs backtracking (back references, lookaround), for one that is too large
 * and for an invalid one.
 */
export function linearPattern(pattern: string): LinearPattern {
  const { RE2JS: engine }: { readonly RE2JS: typeof RE2JS } = require('re2js');
  const compiled = engine.compile(engine.translateRegExp(asRe2(pattern)));
  return { test: (text) => compiled.test(text) };
}

function asRe2(pattern: string): string {
  let isInClass = false;
  return pattern.replace(TOKEN, (token) => {
    if (token === '\\s') return isInClass ? SPACE : `[${SPACE}]`;
    if (token === '\\S') return isInClass ? NO_SPACE : `[${NO_SPACE}]`;
    if (token === '.') return isInClass ? token : ANY_OF_A_LINE;
    if (token === '[') {
      // inside a class it is an ordinary character
      if (isInClass) return '\\[';
      isInClass = true;
    } else if (token === ']') isInClass = false;
    return token;
  });
}
