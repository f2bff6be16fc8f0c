/** All signal types of detections. */
export const SIGNAL_TYPES = [
  'keywordDetection',
  'newJob',
  'recentlyPromoted',
  'jobPostingKeywordDetection',
  'competitorInboundComment',
  'competitorOutboundComment',
  'partnerInboundComment',
  'partnerOutboundComment',
  'customerInboundComment',
  'customerOutboundComment',
  'influencerInboundComment',
  'influencerOutboundComment',
  'championInboundComment',
  'championOutboundComment',
  'championJobChange',
  'networkComment',
  'networkReaction',
  'leadLikedOwnContent',
  'leadCommentedOwnContent',
  'leadLikedCompetitorContent',
  'leadCommentedCompetitorContent',
  'jobPosting',
  'jobPostingInsight',
  'jobPostingHiringManager',
  'deepSearch',
] as const;

export type SignalType = (typeof SIGNAL_TYPES)[number];

export const isSignalType = (type: string): type is SignalType =>
  SIGNAL_TYPES.some((known) => known === type);
