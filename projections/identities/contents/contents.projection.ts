import type { ContentEvents } from '#identities/domain/contents/content.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A post, comment or job posting that a detection of the workspace refers to. */
export type ContentDocument = {
  readonly id: number;
  readonly workspaceId: number;
  readonly type: ContentEvents['ContentCaptured']['type'];
  readonly leadId: number | null;
  readonly companyId: number | null;
  readonly facts: ContentEvents['ContentCaptured']['facts'];
};

export const contentKey = (id: number): string => String(id);

export const contents = projection<ContentDocument, ContentEvents>()({
  name: 'contents',
  version: 2,
  compact: true,
  indexes: {
    byWorkspace: ['workspaceId', 'id'],
    byCompany: ['workspaceId', 'companyId', 'id'],
    byLead: ['workspaceId', 'leadId', 'id'],
  },
  key: (event) => contentKey(event.data.contentId),
  on: {
    ContentCaptured: (_none, event) => ({
      id: event.data.contentId,
      workspaceId: workspaceIdOf(event),
      type: event.data.type,
      leadId: event.data.leadId,
      companyId: event.data.companyId,
      facts: event.data.facts,
    }),
  },
});
