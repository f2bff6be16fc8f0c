import type { Detector } from './detector.js';
import { keywordPostDetector } from './keyword-post.detector.js';

/** The detectors that this version has, by the kind that the catalogue names. */
const detectors: ReadonlyMap<string, Detector> = new Map([['keyword_post', keywordPostDetector]]);

/** Whether signals of this kind can be detected by this version (OP-71). */
export const hasDetector = (kind: string): boolean => detectors.has(kind);

export function detectorFor(kind: string): Detector {
  const detector = detectors.get(kind);
  if (detector === undefined) throw new Error(`this version has no detector of kind ${kind}`);
  return detector;
}
