import { setTimeout as delay } from 'node:timers/promises';
import { renderTable } from '../print-result.js';
import { agree } from './agreement.js';
import type { Scene } from './demo-run.js';
import type { Json } from './demo-service.js';
import { employeesByHand, type CountedSearch } from './independent-count.js';

const POLL_MS = 50;
const FINISH_WITHIN_MS = 60_000;
const [COMPANY_REF, DOMAIN] = ['c:acme', 'acme.com'];
const PRICE = 1;

/** The result of the demo's mappings: credits spent, and movements captured and released. */
export type Mapped = { readonly credits: number; readonly captured: number; readonly released: number };

/** Maps one company and shows its people and the price; a company without known people costs nothing in the end. */
export async function mapCompany(
  scene: Scene,
  lines: readonly string[],
  asked: CountedSearch,
  say: (text?: string) => void,
): Promise<Mapped> {
  const { service, apiKey } = scene;
  const { data: personas } = await service.api(apiKey, 'GET /api/v2/personas');
  const personaIds = personas.filter(({ tag }: Json) => tag === 'Sales leaders').map(({ id }: Json) => id);
  const found = await seeThrough(scene, { domain: DOMAIN, persona_ids: personaIds });
  agree('stage of the mapping', found.stage, 'completed');
  const { data: mapping } = await service.api(apiKey, `GET /api/v2/company-mappings/${found.mapping_id}`);
  const expected = employeesByHand(lines, COMPANY_REF, asked);
  const urls = mapping.profiles.map(({ network_url }: Json) => network_url.replace(/^.*\/in\//, ''));
  agree('people of the mapping', urls.toSorted().join(), expected.toSorted().join());

  say();
  say(`${mapping.company.name} is mapped for "Sales leaders": ${urls.length} people, ${PRICE} credit each:`);
  say(
    renderTable(
      mapping.profiles.map((profile: Json) => ({
        id: profile.id,
        who: `${profile.first_name} ${profile.last_name}`,
        position: profile.position,
        since: profile.position_start_date,
        seniority: profile.seniority,
        place: profile.location?.city ?? '-',
        credits: PRICE,
      })),
    ),
  );
  const lost = await seeThrough(scene, { network_handle: 'nobody-has-heard-of-it', persona_ids: personaIds });
  agree('stage of a mapping of nobody', lost.stage, 'account_mapping_failed');
  agree('reason of its failure', lost.failed_reason, 'no_employee_resolved');
  const launches = await launchesOf(scene);
  agree('launches captured', launches.filter(({ status }) => status === 'captured').length, 1);
  agree('launches given back', launches.filter(({ status }) => status === 'released').length, 1);
  say(
    `Its launch cost ${PRICE} credit; that of a company where nobody was found was given back (${lost.failed_reason}).`,
  );
  return { credits: PRICE * (1 + expected.length), captured: 1 + expected.length, released: 1 };
}

/** Enriches a company and waits for the end of its request; returns the stage. */
async function seeThrough({ service, apiKey }: Scene, body: object): Promise<Json> {
  const accepted = await service.api(apiKey, 'POST /api/v2/enrich-company-mapping', body);
  const deadline = Date.now() + FINISH_WITHIN_MS;
  for (;;) {
    const stage = await service.api(apiKey, `GET /api/v2/account-mapping/${accepted.request_id}/stage`);
    if (stage.stage === 'completed' || stage.stage === 'account_mapping_failed') return stage;
    if (Date.now() > deadline) throw new Error('the mapping did not end');
    await delay(POLL_MS);
  }
}

async function launchesOf({ service, apiKey }: Scene): Promise<readonly Json[]> {
  const launches: Json[] = [];
  let cursor = '';
  do {
    const page: Json = await service.api(apiKey, `GET /api/v3/usage?limit=100${cursor}`);
    launches.push(...page.data.filter(({ product }: Json) => product === 'account_mapping'));
    cursor = page.meta.cursor.next === null ? '' : `&cursor=${page.meta.cursor.next}`;
  } while (cursor !== '');
  return launches;
}
