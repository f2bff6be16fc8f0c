import { DETECTOR_KINDS, type DetectorKind } from '#domain/signal-launches/prepare-launch.js';
import type { Detector } from './detector.js';
import { keywordPostDetector } from './keyword-post.detector.js';

const detectors: { readonly [Kind in DetectorKind]: Detector } = { keyword_post: keywordPostDetector };

/** The detector of a kind that was launched; an unknown one was written by a newer version. */
export function detectorFor(kind: string): Detector {
  const known = DETECTOR_KINDS.find((candidate) => candidate === kind);
  if (known === undefined) throw new Error(`this version has no detector of kind ${kind}`);
  return detectors[known];
}
