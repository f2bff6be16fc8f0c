import { decider, type Decision } from '#kernel/commands/decider.js';
import type { EventOf } from '#kernel/events/event.js';
import { refusal } from '#kernel/values/refusal.js';
import { mappingEvents, type MappedProfile, type MappingEvents } from './mapping.events.js';

/** A profile with the request that analysed it. */
export type KnownProfile = Pick<MappedProfile, 'personRef' | 'leadId' | 'movementId'> & {
  readonly requestId: number;
};

/** The people of a company that were requested on one day for one persona, or without a persona (OP-59). */
export type Mapping = {
  /** Null before its first profile: the mapping does not exist yet. */
  readonly started: Pick<MappingEvents['MappingStarted'], 'mappingId'> | null;
  /** By network ref; grows in place with the fold. */
  readonly profiles: Map<string, KnownProfile>;
  /** Requests that may record nothing more; grows in place with the fold. */
  readonly fenced: Set<number>;
  /** Null before it was complete for the first time. */
  readonly version: number | null;
};

export const unknownMapping = refusal({
  code: 'unknown-mapping',
  kind: 'missing',
  detail: 'The workspace has no company mapping with this id.',
});

export const mappingNotComplete = refusal({
  code: 'mapping-not-complete',
  kind: 'conflicting',
  detail: 'Only a complete mapping can be read again.',
});

export const mapping = decider<Mapping>()({
  category: 'mapping',
  scope: 'workspace',
  vocabulary: mappingEvents,
  strict: true,
  initial: () => ({ started: null, profiles: new Map(), fenced: new Set(), version: null }),
  on: {
    MappingStarted: (state, { data }) => ({ ...state, started: data }),
    LegacyMappingImported: (state, { data }) => ({
      ...state,
      started: { mappingId: data.mappingId },
      version: data.status === 'complete' ? (data.version ?? 1) : null,
    }),
    ProfilesMapped: (state, { data: { requestId, profiles } }) => {
      for (const { personRef, leadId, movementId } of profiles) {
        const earlier = state.profiles.get(personRef);
        state.profiles.set(personRef, {
          personRef,
          leadId,
          movementId,
          requestId: earlier?.requestId ?? requestId,
        });
      }
      return state;
    },
    RequestFenced: (state, { data: { requestId } }) => {
      state.fenced.add(requestId);
      return state;
    },
    MappingCompleted: (state, { data }) => ({ ...state, version: data.version }),
    CompanyMappingRematerialized: (state, { data }) => ({ ...state, version: data.version }),
  },
});

export type MappingDecision = Decision<Mapping, typeof mappingEvents>;

/**
 * Records analysed profiles; a mapping begins with its first. A recorded profile does not change; a fenced request adds
 * none.
 */
export const mapProfiles =
  (
    about: MappingEvents['MappingStarted'],
    requestId: number,
    analysed: readonly MappedProfile[],
  ): MappingDecision =>
  (state): EventOf<MappingEvents>[] => {
    if (state.fenced.has(requestId)) return [];
    const profiles = analysed.filter(({ personRef }) => !state.profiles.has(personRef));
    if (profiles.length === 0) return [];
    const { mappingId } = about;
    return [
      ...(state.started === null ? [{ type: 'MappingStarted' as const, data: about }] : []),
      { type: 'ProfilesMapped', data: { mappingId, requestId, profiles } },
    ];
  };

/** Records a mapping of an earlier system. Idempotent. */
export const importMapping =
  (data: MappingEvents['LegacyMappingImported']): MappingDecision =>
  ({ started }) =>
    started === null ? [{ type: 'LegacyMappingImported', data }] : [];

/** Fences this request: it may record nothing more. Idempotent. */
export const fenceRequest =
  (mappingId: number, requestId: number): MappingDecision =>
  ({ fenced }) =>
    fenced.has(requestId) ? [] : [{ type: 'RequestFenced', data: { mappingId, requestId } }];

/**
 * The mapping is complete. Its version counts the launches that contributed to it: profiles of an earlier failed
 * launch are version 1 (OP-59).
 */
export const completeMapping =
  (requestId: number): MappingDecision =>
  (state) => {
    if (state.started === null || state.version !== null) return [];
    const { mappingId } = state.started;
    const requests = new Set([...state.profiles.values()].map((profile) => profile.requestId));
    const version = requests.add(requestId).size;
    return [{ type: 'MappingCompleted', data: { mappingId, requestId, version } }];
  };

/** Updates the facts of people in the mapping; adds none. */
export const refreshProfiles =
  (seen: readonly MappedProfile[]): MappingDecision =>
  (state) => {
    const { mappingId } = requireComplete(state);
    const profiles = seen.filter(({ personRef }) => state.profiles.has(personRef));
    const requestId = state.profiles.get(profiles[0]?.personRef ?? '')?.requestId;
    return requestId === undefined
      ? []
      : [{ type: 'ProfilesMapped', data: { mappingId, requestId, profiles } }];
  };

/** The mapping was read again: a new version of it. */
export const rematerialize =
  (from: number): MappingDecision =>
  (state) => {
    const { mappingId, version } = requireComplete(state);
    return version === from
      ? [{ type: 'CompanyMappingRematerialized', data: { mappingId, version: version + 1 } }]
      : [];
  };

/** A complete mapping. Throws `unknownMapping`, `mappingNotComplete`. */
export function requireComplete({ started, version }: Pick<Mapping, 'started' | 'version'>) {
  if (started === null) throw unknownMapping();
  if (version === null) throw mappingNotComplete();
  return { ...started, version };
}
