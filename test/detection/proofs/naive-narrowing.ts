import { inWindow, type World } from './naive-world.js';
import { contains, isAt, texts } from './naive-words.js';
import { containsOne } from './naive-moves.js';
import type { NaiveLaunch, Observed } from './proof.js';

/** The values that narrow agents of job updates and champions (D-61). */

type Narrowed = {
  readonly personRef: string;
  /** The new position; the left one when there is no new one. */
  readonly position: Observed | null;
  /** Ref of its company. */
  readonly company: unknown;
  readonly employers: readonly unknown[];
};

export function isReported(
  world: World,
  { parameters, customers = [] }: NaiveLaunch,
  { personRef, position, company, employers }: Narrowed,
): boolean {
  const person = world.known('person', personRef);
  const employer = world.known('company', company);
  const domains = texts(parameters['company_domains_to_scrape']);
  const places = texts(parameters['target_persona_locations']);
  const roles = texts(parameters['author_roles']);
  const profiles = texts(parameters['target_network_profiles']);
  const interested: Observed = parameters['interested_by'] ?? {};
  const [ofCustomers, ofProspects] = [interested.customers === true, interested.prospects === true];
  const isCustomer = employer !== null && customers.includes(employer.ref);
  const known = employers.flatMap((ref) => world.known('company', ref)?.domains ?? []);
  return (
    containsOne(position?.title, texts(parameters['target_persona'])) &&
    (domains.length === 0 || known.some((domain) => domains.includes(domain))) &&
    (places.length === 0 || isAt(person.geo, places)) &&
    (containsOne(world.position(personRef)?.title, roles) || containsOne(person.headline, roles)) &&
    containsOne(employer?.industry, texts(parameters['author_industries'])) &&
    (profiles.length === 0 ||
      profiles.some((profile) => profile.replace(/^.*\/in\/|^@/, '') === person.handle)) &&
    (ofCustomers === ofProspects || ofCustomers === isCustomer)
  );
}

/** keywords_for_social_detection. */
export function isSocial(world: World, launch: NaiveLaunch, personRef: string): boolean {
  const keywords = texts(launch.parameters['keywords_for_social_detection']);
  const { headline, about } = world.known('person', personRef);
  const posts = inWindow(world.all('post'), 'published_at', launch).filter(
    ({ author_ref }) => author_ref === personRef,
  );
  const said = [headline, about, ...posts.map(({ text }) => text)];
  return keywords.length === 0 || keywords.some((keyword) => said.some((text) => contains(text, keyword)));
}
