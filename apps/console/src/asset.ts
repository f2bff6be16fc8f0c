import { sha256Hex } from '#kernel/values/hash.js';

/** A script or style that pages load. Its address changes with its text, so that browsers keep it for ever. */
export const assetOf = (name: string, ending: 'js' | 'css', text: string) => ({
  path: `/console/assets/${name}-${sha256Hex(text).slice(0, 16)}.${ending}` as const,
  text,
});
