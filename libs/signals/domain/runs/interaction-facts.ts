import type { SignalType } from './signal-types.js';

/** The types of comments and reactions between two sides, and the interactions in which a run finds them. */
export const INTERACTIONS = {
  competitorInboundComment: { direction: 'inbound', kind: 'comment' },
  competitorOutboundComment: { direction: 'outbound', kind: 'comment' },
  partnerInboundComment: { direction: 'inbound', kind: 'comment' },
  partnerOutboundComment: { direction: 'outbound', kind: 'comment' },
  customerInboundComment: { direction: 'inbound', kind: 'comment' },
  customerOutboundComment: { direction: 'outbound', kind: 'comment' },
  influencerInboundComment: { direction: 'inbound', kind: 'comment' },
  influencerOutboundComment: { direction: 'outbound', kind: 'comment' },
  championInboundComment: { direction: 'inbound', kind: 'comment' },
  championOutboundComment: { direction: 'outbound', kind: 'comment' },
  networkComment: { direction: 'outbound', kind: 'comment' },
  networkReaction: { direction: 'outbound', kind: 'reaction' },
  leadLikedOwnContent: { direction: 'inbound', kind: 'reaction' },
  leadCommentedOwnContent: { direction: 'inbound', kind: 'comment' },
  leadLikedCompetitorContent: { direction: 'inbound', kind: 'reaction' },
  leadCommentedCompetitorContent: { direction: 'inbound', kind: 'comment' },
} as const satisfies {
  readonly [Type in SignalType]?: {
    readonly direction: 'inbound' | 'outbound';
    readonly kind: 'comment' | 'reaction';
  };
};

/** A signal whose candidates are comments or reactions. */
export type Interaction = keyof typeof INTERACTIONS;

export const isInteraction = (type: string): type is Interaction => Object.hasOwn(INTERACTIONS, type);
