import { foldAll } from '#kernel/testing/project.js';
import { sampleDetection } from '#projections/testing/sample-events.js';
import { leadPlaces } from './lead-places.projection.js';

type Place = { leadId?: number | null; leadCountry?: string | null; leadCity?: string | null };

const placesOf = (...detections: readonly Place[]) => [
  ...foldAll(
    leadPlaces,
    detections.map((place) => ({ type: 'SignalDetected', data: sampleDetection(place) })),
  ).values(),
];

describe('the places of leads', () => {
  it('LOC-01 keeps each country and each city once, in the first spelling', () => {
    expect(
      placesOf(
        { leadCountry: 'France', leadCity: ' Paris ' },
        { leadCountry: 'FRANCE', leadCity: 'PARIS' },
        { leadCountry: 'United States', leadCity: 'Paris' },
      ),
    ).toEqual([
      { workspaceId: 1, country: 'France', city: null },
      { workspaceId: 1, country: 'France', city: 'Paris' },
      { workspaceId: 1, country: 'United States', city: null },
      { workspaceId: 1, country: 'United States', city: 'Paris' },
    ]);
  });

  it('have no place without a lead or a country, and no city without a country', () => {
    expect(
      placesOf(
        { leadId: null },
        { leadCountry: null, leadCity: 'Paris' },
        { leadCountry: ' ', leadCity: 'Paris' },
      ),
    ).toEqual([]);
    expect(placesOf({ leadCountry: 'Chad', leadCity: null })).toEqual([
      { workspaceId: 1, country: 'Chad', city: null },
    ]);
  });
});
