import type { ConsoleLinkEvents } from '#access/domain/links/console-link.events.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { projection } from '#kernel/projections/projection.js';

/** A read-only link as the list shows it; who opens one is checked against the event store, not this. */
export type ConsoleLinkDocument = {
  readonly id: string;
  readonly workspaceId: number;
  readonly hash: string;
  readonly label: string;
  readonly madeAt: string;
  readonly madeBy: string;
  readonly expiresAt: string;
  readonly openedAt: string | null;
  readonly withdrawnAt: string | null;
};

export const consoleLinks = projection<ConsoleLinkDocument, ConsoleLinkEvents>()({
  name: 'console-links',
  version: 1,
  indexes: { newestFirst: ['workspaceId', 'madeAt', 'id'] },
  key: ({ data }) => data.linkId,
  on: {
    ConsoleLinkMade: (_none, event) => {
      const { linkId, workspaceId, hash, label, expiresAt } = event.data;
      return {
        id: linkId,
        workspaceId,
        hash,
        label,
        madeAt: recordedAtOf(event),
        madeBy: event.metadata['actorId'] ?? '',
        expiresAt,
        openedAt: null,
        withdrawnAt: null,
      };
    },
    ConsoleLinkOpened: (link, event) => link && { ...link, openedAt: recordedAtOf(event) },
    ConsoleLinkWithdrawn: (link, event) => link && { ...link, withdrawnAt: recordedAtOf(event) },
  },
});
