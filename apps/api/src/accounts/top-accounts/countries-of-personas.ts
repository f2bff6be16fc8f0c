import type { Commands } from '#kernel/commands/commands.js';
import { personas } from '#lists/domain/personas/personas.js';
import { countriesOfLocation, partsOf } from '#identities/locations/countries-of-location.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';

/** The ISO codes of the countries in the locations of a workspace's active business units, sorted (OP-52). */
export async function countriesOfPersonas(
  commands: Commands,
  directory: NetworkDirectory,
  workspaceId: number,
): Promise<readonly string[]> {
  const locations = await commands.load(personas, String(workspaceId), ({ byId }) =>
    [...byId.values()].flatMap(({ archived, facts }) => (archived ? [] : [...(facts.location ?? [])])),
  );
  const seen = new Map<string, readonly string[]>();
  for (const part of new Set(locations.flatMap(partsOf))) {
    // The table has most locations: the network is asked only about the others.
    if (countriesOfLocation(part).length === 0) seen.set(part, await directory.countryCodesOfCity(part));
  }
  const found = locations.flatMap((location) =>
    countriesOfLocation(location, (city) => seen.get(city) ?? []),
  );
  return [...new Set(found)].sort();
}
