import type { MappedProfile, MappingEvents } from '#accounts/domain/mappings/mapping.events.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

/** A person in a mapping. */
export type MappingProfileDocument = MappedProfile & {
  readonly workspaceId: number;
  readonly mappingId: number;
};

const mappingProfileKey = (mappingId: number, leadId: number): string => `${mappingId}_${leadId}`;

export const mappingProfiles = projection<MappingProfileDocument, Pick<MappingEvents, 'ProfilesMapped'>>()({
  name: 'mapping-profiles',
  version: 1,
  indexes: { byMapping: ['workspaceId', 'mappingId', 'leadId'] },
  key: ({ data: { mappingId, profiles } }) =>
    profiles.map(({ leadId }) => mappingProfileKey(mappingId, leadId)),
  on: {
    ProfilesMapped: (_earlier, event, key) => {
      const { mappingId, profiles } = event.data;
      const profile = profiles.find(({ leadId }) => mappingProfileKey(mappingId, leadId) === key);
      return profile === undefined ? null : { ...profile, workspaceId: workspaceIdOf(event), mappingId };
    },
  },
});
