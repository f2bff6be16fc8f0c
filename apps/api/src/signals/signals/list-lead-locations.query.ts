import type { Immutable } from '#kernel/events/event.js';
import { Type, type Static } from '#kernel/values/schema.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { countryKey } from '#projections/signals/detections/places.js';
import { leadPlaces } from '#projections/signals/lead-places/lead-places.projection.js';
import { handle } from '../../handle.js';

const Locations = DataOf(
  Type.Object(
    {
      countries: Type.Array(Type.String()),
      cities: Type.Array(Type.Object({ name: Type.String(), country: Type.String() }, { title: 'LeadCity' })),
    },
    { title: 'LeadLocations' },
  ),
);
type Locations = Immutable<Static<typeof Locations>>;

@Endpoint({
  caller: 'apiKey',
  // The published descriptions of the API have the second path, without a prefix.
  route: ['GET /api/v2/workspace-leads/locations', 'GET /workspace-leads/locations'],
  summary: 'List the countries and cities of the leads that were detected',
  description:
    'Sorted, cities by country and name. Each value can be sent as a filter of the signal queries.',
  response: Locations,
})
export class ListLeadLocations extends EndpointQuery<Locations> {}

handle(ListLeadLocations, async ({ workspaceId }, { readModels }): Promise<Locations> => {
  const places = await readModels.find(leadPlaces, { where: { workspaceId } });
  const countries = places.filter(({ city }) => city === null).map(({ country }) => country);
  // A city may have been observed with another spelling of its country; every country has one name here.
  const spelling = new Map(countries.map((country) => [countryKey(country), country]));
  const cities = places.flatMap(({ city, country }) =>
    city === null ? [] : [{ name: city, country: spelling.get(countryKey(country)) ?? country }],
  );
  return {
    data: {
      countries: countries.toSorted(),
      cities: cities.toSorted(
        (left, right) => byText(left.country, right.country) || byText(left.name, right.name),
      ),
    },
  };
});

const byText = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1);
