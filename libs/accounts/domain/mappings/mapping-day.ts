import { toStored, type Credits } from '#kernel/values/credits.js';
import { decider, type Decision } from '#kernel/commands/decider.js';
import { apiKeyOf } from '#kernel/events/asked-by.js';
import type { EventOf } from '#kernel/events/event.js';
import { mappingDayEvents, type MappingDayEvents } from './mapping.events.js';

/** The launch for one persona on one day, and its state. `open`: it was dropped, and another launch is possible. */
export type MappingLaunch = {
  readonly status: 'reserved' | 'launched' | 'open';
  readonly requestId: number;
  readonly mappingId: number;
  readonly credits: string;
  readonly movementId: number | null;
  readonly identifier: string | null;
  readonly reservedAt: string;
  readonly leaseUntil: string;
  /** The command that reserved it: a repetition of that command continues it. */
  readonly reservedBy: string;
  /** The API key that made the call; null: no key. Its cap counts what the request charges (CAP-02). */
  readonly keyId: number | null;
};

/** Launches of one company on one day, by persona; null: without a persona. Grows in place with the fold. */
export type MappingDay = { readonly launches: Map<number | null, MappingLaunch> };

export const mappingDay = decider<MappingDay>()({
  category: 'mappingDay',
  scope: 'workspace',
  vocabulary: mappingDayEvents,
  strict: true,
  initial: () => ({ launches: new Map() }),
  on: {
    MappingReserved: (state, event) => {
      const { data, metadata } = event;
      const { personaId, requestId, mappingId, credits, identifier, reservedAt, leaseUntil } = data;
      state.launches.set(personaId, {
        status: 'reserved',
        requestId,
        mappingId,
        credits,
        movementId: null,
        identifier,
        reservedAt,
        leaseUntil,
        reservedBy: metadata['commandId'] ?? '',
        keyId: apiKeyOf(event),
      });
      return state;
    },
    MappingLaunched: (state, { data: { personaId, movementId } }) =>
      change(state, personaId, { status: 'launched', movementId }),
    MappingDropped: (state, { data }) => change(state, data.personaId, { status: 'open' }),
    MappingReopened: (state, { data }) => change(state, data.personaId, { status: 'open' }),
  },
});

function change(state: MappingDay, personaId: number | null, changes: Partial<MappingLaunch>): MappingDay {
  const known = state.launches.get(personaId);
  if (known !== undefined) state.launches.set(personaId, { ...known, ...changes });
  return state;
}

export type MappingDayDecision = Decision<MappingDay, typeof mappingDayEvents>;

/** The id part of the stream of a company's day. */
export const mappingDayOf = (companyId: number, requestDate: string): string => `${companyId}_${requestDate}`;

/** A requested launch for one persona, with ids that are used if it is launched. */
export type WantedLaunch = {
  readonly personaId: number | null;
  readonly requestId: number;
  /** Used unless the persona already has a mapping of that day. */
  readonly mappingId: number;
};

export type ReserveMappings = {
  readonly companyId: number;
  readonly requestDate: string;
  readonly wanted: readonly WantedLaunch[];
  readonly credits: Credits;
  readonly identifier: string | null;
  /** Requests of earlier launches that failed for a temporary reason, with the reason. */
  readonly passed: ReadonlyMap<number, string>;
  readonly now: string;
  readonly leaseUntil: string;
};

/**
 * Reserves launches for the personas that were not launched on that day. Reserves nothing while one of them is
 * reserved: the result of that reservation must be known first, because a call launches all or none.
 */
export const reserveMappings =
  (input: ReserveMappings): MappingDayDecision =>
  ({ launches }) => {
    const { companyId, requestDate, wanted, credits, identifier, passed, now, leaseUntil } = input;
    if (wanted.some(({ personaId }) => launches.get(personaId)?.status === 'reserved')) return [];
    return wanted.flatMap(({ personaId, requestId, mappingId }): EventOf<MappingDayEvents>[] => {
      const earlier = launches.get(personaId);
      const reason = earlier === undefined ? undefined : passed.get(earlier.requestId);
      if (earlier?.status === 'launched' && reason === undefined) return [];
      const about = { companyId, requestDate, personaId };
      const kept = { mappingId: earlier?.mappingId ?? mappingId };
      const reserved = { identifier, credits: toStored(credits), reservedAt: now, leaseUntil };
      return [
        ...(earlier?.status === 'launched' && reason !== undefined
          ? [
              {
                type: 'MappingReopened' as const,
                data: { ...about, ...kept, requestId: earlier.requestId, reason },
              },
            ]
          : []),
        { type: 'MappingReserved', data: { ...about, requestId, ...kept, ...reserved } },
      ];
    });
  };

type OfDay = { readonly companyId: number; readonly requestDate: string };

/**
 * Confirms the reservations of these requests, each with its movement. If one of them was dropped none is launched,
 * and the remaining reservations are dropped too (OP-56).
 */
export const confirmMappings =
  (day: OfDay, movements: ReadonlyMap<number, number | null>): MappingDayDecision =>
  (state) => {
    const { companyId, requestDate } = day;
    const isAsked = (requestId: number): boolean => movements.has(requestId);
    const kept = [...state.launches.values()].filter(
      ({ requestId, status }) => isAsked(requestId) && status !== 'open',
    );
    if (kept.length < movements.size)
      return dropMappings(day, new Set(movements.keys()), 'not_confirmed')(state);
    return reservedOf(state, isAsked).map(({ personaId, requestId, mappingId }) => ({
      type: 'MappingLaunched',
      data: {
        companyId,
        requestDate,
        personaId,
        requestId,
        mappingId,
        movementId: movements.get(requestId) ?? null,
      },
    }));
  };

/** Drops the reservations of these requests. */
export const dropMappings =
  (
    { companyId, requestDate }: OfDay,
    requestIds: ReadonlySet<number>,
    reason: MappingDayEvents['MappingDropped']['reason'],
  ): MappingDayDecision =>
  (state) =>
    reservedOf(state, (requestId) => requestIds.has(requestId)).map(
      ({ personaId, requestId, mappingId }) => ({
        type: 'MappingDropped',
        data: { companyId, requestDate, personaId, requestId, mappingId, reason },
      }),
    );

function reservedOf({ launches }: MappingDay, isAsked: (requestId: number) => boolean) {
  return [...launches].flatMap(([personaId, { status, requestId, mappingId }]) =>
    status === 'reserved' && isAsked(requestId) ? [{ personaId, requestId, mappingId }] : [],
  );
}
