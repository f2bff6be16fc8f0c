import { isDetectorKind, type DetectorKind } from '#domain/signal-launches/prepare-launch.js';
import type { Detector } from './detector.js';
import { jobPostingDetector } from './job-posting.detector.js';
import { keywordPostDetector } from './keyword-post.detector.js';

/** Those of top accounts are the same detectors: whom they look at is what the run gives them. */
const detectors: { readonly [Kind in DetectorKind]: Detector } = {
  keyword_post: keywordPostDetector,
  top_account_post: keywordPostDetector,
  job_posting: jobPostingDetector,
  top_account_job_posting: jobPostingDetector,
};

/** The detector of a kind that was launched; an unknown one was written by a newer version. */
export function detectorFor(kind: string): Detector {
  if (!isDetectorKind(kind)) throw new Error(`this version has no detector of kind ${kind}`);
  return detectors[kind];
}
