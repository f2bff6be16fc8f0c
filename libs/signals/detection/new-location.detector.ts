import { Type } from '#kernel/values/schema.js';
import { countryMatcher } from '#identities/locations/places.js';
import { companyEvents, joined, textField } from './company-events.js';
import { detector } from './detector.js';

/** Offices that companies open (D-72), oldest first. */
export const newLocationDetector = detector({
  kind: 'new_location',
  signalTypes: ['deepSearch'],
  directions: ['single'],
  audiences: ['market', 'covered_accounts'],
  arrivals: ['company_event'],
  templates: [{ kind: 'firmographic', signalTypes: ['deepSearch'], declares: ['countries'] }],
  parameters: Type.Object({ countries: Type.Array(Type.String()) }),
  search(run) {
    const isWanted = countryMatcher(run.parameters.countries);
    return companyEvents(run, 'location_opened', ({ fields }) => {
      const [city, region] = [textField(fields, 'city'), textField(fields, 'region')];
      const [country, countryCode] = [textField(fields, 'country'), textField(fields, 'country_code')];
      if (!isWanted({ country, countryCode })) return null;
      return {
        answer: joined([city, region, country]),
        facts: { city, region, country, country_code: countryCode },
      };
    });
  },
});
