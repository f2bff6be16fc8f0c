import type { LaunchPersona } from '#signals/domain/launches/launch.events.js';

/** D-60: titles and locations in the setup replace those of its persona. */
export const withOwnAnswers = (
  persona: LaunchPersona,
  {
    jobTitles = [],
    locations = [],
  }: {
    readonly jobTitles?: readonly string[] | undefined;
    readonly locations?: readonly string[] | undefined;
  },
): LaunchPersona => ({
  ...persona,
  jobTitles: jobTitles.length > 0 ? jobTitles : persona.jobTitles,
  locations: locations.length > 0 ? locations : persona.locations,
});
