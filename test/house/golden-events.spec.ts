import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'node:test';
import { expect } from 'expect';
import { agentEvents } from '#domain/agents/agent.events.js';
import { apiKeyEvents } from '#domain/api-keys/api-key.events.js';
import { catalogueEvents } from '#domain/catalogue/catalogue.events.js';
import { companyEvents, companyIdentityEvents } from '#domain/companies/company.events.js';
import { contentEvents } from '#domain/contents/content.events.js';
import { creditEvents } from '#domain/credits/credits.events.js';
import { leadEvents, leadIdentityEvents } from '#domain/leads/lead.events.js';
import { listEvents } from '#domain/lists/list.events.js';
import { partnerEvents } from '#domain/partners/partner.events.js';
import { personasEvents } from '#domain/personas/personas.events.js';
import { pricesEvents } from '#domain/prices/prices.events.js';
import { scheduleEvents } from '#domain/schedules/schedule.events.js';
import { launchEvents } from '#domain/signal-launches/launch.events.js';
import { signalRunEvents } from '#domain/signal-runs/signal-run.events.js';
import { signalSetupEvents } from '#domain/signal-setups/signal-setup.events.js';
import { topAccountEvents } from '#domain/top-accounts/top-accounts.events.js';
import { workspaceEvents } from '#domain/workspaces/workspace.events.js';
import { decodeEvent, encodeEvent } from '#kernel/event-codec.js';
import type { Vocabulary } from '#kernel/event.js';
import type { JsonObject } from '#kernel/json.js';

/**
 * Every event ever written stays readable: each declared type has a golden payload of each version that was
 * ever shipped (`golden/<Type>.v<version>.json`, never edited), and each still upcasts to what is valid today.
 */
const vocabularies: readonly { readonly folder: string; readonly events: Vocabulary }[] = [
  // Their schedules and launches stand in the folders that declare them.
  { folder: 'libs/domain/agents', events: { AgentCreated: agentEvents.AgentCreated } },
  { folder: 'libs/domain/api-keys', events: apiKeyEvents },
  { folder: 'libs/domain/catalogue', events: catalogueEvents },
  { folder: 'libs/domain/companies', events: { ...companyIdentityEvents, ...companyEvents } },
  { folder: 'libs/domain/contents', events: contentEvents },
  { folder: 'libs/domain/credits', events: creditEvents },
  { folder: 'libs/domain/leads', events: { ...leadIdentityEvents, ...leadEvents } },
  { folder: 'libs/domain/lists', events: listEvents },
  { folder: 'libs/domain/partners', events: partnerEvents },
  { folder: 'libs/domain/personas', events: personasEvents },
  { folder: 'libs/domain/prices', events: pricesEvents },
  { folder: 'libs/domain/schedules', events: scheduleEvents },
  { folder: 'libs/domain/signal-launches', events: launchEvents },
  { folder: 'libs/domain/signal-runs', events: signalRunEvents },
  { folder: 'libs/domain/signal-setups', events: signalSetupEvents },
  { folder: 'libs/domain/top-accounts', events: topAccountEvents },
  { folder: 'libs/domain/workspaces', events: workspaceEvents },
];

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

function golden(folder: string, type: string, version: number): JsonObject {
  const payload: JsonObject = JSON.parse(
    readFileSync(join(root, folder, 'golden', `${type}.v${version}.json`), 'utf8'),
  );
  return payload;
}

for (const { folder, events } of vocabularies) {
  describe(`golden events of ${folder}`, () => {
    for (const [type, { schema, schemaVersion }] of Object.entries(events)) {
      for (let version = 1; version <= schemaVersion; version += 1) {
        it(`${type} of version ${version} is still read as a valid event of today`, () => {
          const data = golden(folder, type, version);
          const metadata = { schemaVersion: String(version) };
          const place = { stream: 'golden-1', revision: 0n, position: '0' };
          const decoded = decodeEvent(events, { id: 'golden', type, data, metadata, ...place });
          const today = decoded?.data ?? {};
          expect(encodeEvent(events, { type, data: today }, 'golden', {}).metadata['schemaVersion']).toBe(
            String(schemaVersion),
          );
        });
      }

      it(`${type} has a newest golden that shows every field`, () => {
        const shown = Object.keys(golden(folder, type, schemaVersion)).sort();
        expect(shown).toEqual(Object.keys(schema.properties).sort());
      });
    }

    it('has no golden of an event that nobody declares', () => {
      const path = join(root, folder, 'golden');
      const declared = Object.entries(events).flatMap(([type, { schemaVersion }]) =>
        Array.from({ length: schemaVersion }, (_, index) => `${type}.v${index + 1}.json`),
      );
      expect(existsSync(path) ? readdirSync(path).sort() : []).toEqual(declared.sort());
    });
  });
}

it('the golden events were looked for somewhere', () => {
  expect(vocabularies.flatMap(({ events }) => Object.keys(events)).length).toBeGreaterThan(0);
});
