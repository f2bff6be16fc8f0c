import type { SignalRunEvents } from '#signals/domain/runs/signal-run.events.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { projection } from '#kernel/projections/projection.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';
import { cityKey, countryKey } from '#projections/signals/detections/places.js';

/** A country or city of a lead of a detection of the workspace, in the first observed spelling. */
export type LeadPlaceDocument = {
  readonly workspaceId: number;
  readonly country: string;
  /** null: the country itself. */
  readonly city: string | null;
};

/**
 * One document per place, for any number of detections: the filters of the signal queries fold places the same way,
 * so every place listed here finds something.
 */
export const leadPlaces = projection<LeadPlaceDocument, Pick<SignalRunEvents, 'SignalDetected'>>()({
  name: 'lead-places',
  version: 1,
  indexes: { byWorkspace: ['workspaceId'] },
  key: (event) => {
    const { leadId, leadCountry = null, leadCity = null } = event.data;
    if (leadId === null) return null;
    return [countryKey(leadCountry), cityKey(leadCity, leadCountry)]
      .filter((place) => place !== null)
      .map((place) => workspaceScoped(workspaceIdOf(event), place));
  },
  on: {
    SignalDetected: (known, event, key) => {
      const { leadCountry, leadCity = null } = event.data;
      if (known !== null || leadCountry === undefined || leadCountry === null) return known;
      const workspaceId = workspaceIdOf(event);
      const isCountry = key === workspaceScoped(workspaceId, countryKey(leadCountry) ?? '');
      return {
        workspaceId,
        country: leadCountry.trim(),
        city: isCountry ? null : (leadCity?.trim() ?? null),
      };
    },
  },
});
