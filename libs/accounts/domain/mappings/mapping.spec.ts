import { given } from '#kernel/testing/scenario.js';
import { sampleProfile } from '#projections/testing/sample-events.js';
import type { MappedProfile } from './mapping.events.js';
import {
  completeMapping,
  fenceRequest,
  importMapping,
  mapping,
  mappingNotComplete,
  mapProfiles,
  refreshProfiles,
  rematerialize,
  unknownMapping,
} from './mapping.js';

const about = { mappingId: 21, companyId: 9, requestDate: '2026-01-05', personaId: 4 };
const started = { type: 'MappingStarted', data: about } as const;
const profile = (personRef: string, leadId: number, headline = 'Sales'): MappedProfile =>
  sampleProfile({ personRef, leadId, movementId: leadId + 500, headline });
const [ana, luc] = [profile('p:ana', 77), profile('p:luc', 78)];
const mapped = (requestId: number, ...profiles: readonly MappedProfile[]) =>
  ({ type: 'ProfilesMapped', data: { mappingId: 21, requestId, profiles: [...profiles] } }) as const;
const completed = (requestId: number, version: number) =>
  ({ type: 'MappingCompleted', data: { mappingId: 21, requestId, version } }) as const;

describe('a company mapping', () => {
  it('OP-59 appears with its first profile, and has each person once', () => {
    given(mapping, [])
      .when(mapProfiles(about, 310, []))
      .then([]);
    given(mapping, [])
      .when(mapProfiles(about, 310, [ana]))
      .then([started, mapped(310, ana)]);
    given(mapping, [started, mapped(310, ana)])
      .when(mapProfiles(about, 311, [ana, luc]))
      .then([mapped(311, luc)]);
    given(mapping, [started, mapped(310, ana)])
      .when(mapProfiles(about, 310, [ana]))
      .then([]);
  });

  it('LED-07 records nothing more of a fenced request, and continues with others', () => {
    const fenced = { type: 'RequestFenced', data: { mappingId: 21, requestId: 310 } } as const;
    given(mapping, []).when(fenceRequest(21, 310)).then([fenced]);
    given(mapping, [fenced]).when(fenceRequest(21, 310)).then([]);
    given(mapping, [fenced])
      .when(mapProfiles(about, 310, [ana]))
      .then([]);
    given(mapping, [started, mapped(310, ana), fenced])
      .when(mapProfiles(about, 310, [luc]))
      .then([]);
    given(mapping, [fenced])
      .when(mapProfiles(about, 311, [ana]))
      .then([started, mapped(311, ana)]);
  });

  it('OP-59 is complete as version 1, or 2 if an earlier launch of the day failed after a profile', () => {
    given(mapping, []).when(completeMapping(310)).then([]);
    given(mapping, [started, mapped(310, ana)])
      .when(completeMapping(310))
      .then([completed(310, 1)]);
    given(mapping, [started, mapped(310, ana)])
      .when(completeMapping(311))
      .then([completed(311, 2)]);
    given(mapping, [started, mapped(310, ana), mapped(311, luc)])
      .when(completeMapping(311))
      .then([completed(311, 2)]);
    given(mapping, [started, mapped(310, ana), completed(310, 1)])
      .when(completeMapping(310))
      .then([]);
  });

  it('MAP-46 gets another version with each rematerialization, once per version that it was read from', () => {
    const past = [started, mapped(310, ana), completed(310, 1)];
    const second = { type: 'CompanyMappingRematerialized', data: { mappingId: 21, version: 2 } } as const;
    given(mapping, past).when(rematerialize(1)).then([second]);
    given(mapping, [...past, second])
      .when(rematerialize(1))
      .then([]);
  });

  it('OPS-16 is imported once, and is read again only if the earlier system completed it', () => {
    const data = { mappingId: 21, legacyId: 'm-1', companyId: null, requestDate: null } as const;
    const bare = { ...data, status: null, version: null };
    const complete = { ...data, status: 'complete', version: null } as const;
    given(mapping, [])
      .when(importMapping(bare))
      .then([{ type: 'LegacyMappingImported', data: bare }]);
    given(mapping, [{ type: 'LegacyMappingImported', data: bare }])
      .when(importMapping(bare))
      .then([]);
    given(mapping, [{ type: 'LegacyMappingImported', data: bare }])
      .when(rematerialize(1))
      .then(mappingNotComplete());
    given(mapping, [{ type: 'LegacyMappingImported', data: complete }])
      .when(rematerialize(1))
      .then([{ type: 'CompanyMappingRematerialized', data: { mappingId: 21, version: 2 } }]);
  });

  it('OPS-15 updates its people and adds none', () => {
    const past = [started, mapped(310, ana), completed(310, 1)];
    const promoted = profile('p:ana', 77, 'VP Sales');
    given(mapping, past)
      .when(refreshProfiles([promoted, luc]))
      .then([mapped(310, promoted)]);
    given(mapping, past)
      .when(refreshProfiles([luc]))
      .then([]);
  });

  it('OPS-15 is read again only if it exists and is complete', () => {
    for (const decision of [rematerialize(1), refreshProfiles([ana])]) {
      given(mapping, []).when(decision).then(unknownMapping());
      given(mapping, [started, mapped(310, ana)])
        .when(decision)
        .then(mappingNotComplete());
    }
  });
});
