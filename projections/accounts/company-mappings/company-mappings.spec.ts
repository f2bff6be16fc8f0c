import { foldAll } from '#kernel/testing/project.js';
import { sampleProfile } from '#projections/testing/sample-events.js';
import { companyMappingKey, companyMappings } from './company-mappings.projection.js';

const started = {
  type: 'MappingStarted',
  data: { mappingId: 21, companyId: 9, requestDate: '2026-01-05', personaId: 4 },
};
const mapped = (requestId: number) => ({
  type: 'ProfilesMapped',
  data: { mappingId: 21, requestId, profiles: [sampleProfile()] },
});
const failed = (requestId: number, mappingId: number | null = 21) => ({
  type: 'ContentRequestFailed',
  data: {
    requestId,
    mappingId,
    stage: 'account_mapping_failed',
    reason: 'insufficient_credits',
    failedAt: '2026-01-05T10:00:05.000Z',
  },
});
const completed = (version: number) => ({
  type: 'MappingCompleted',
  data: { mappingId: 21, requestId: 310, version },
});
const again = { type: 'CompanyMappingRematerialized', data: { mappingId: 21, version: 2 } };
const after = (...events: readonly { type: string; data: object }[]) =>
  foldAll(companyMappings, events).get(companyMappingKey(21));

describe('company mappings', () => {
  it('OP-59 exist from their first profile on, in progress', () => {
    expect(after(started, mapped(310))).toEqual({
      id: 21,
      workspaceId: 1,
      companyId: 9,
      personaId: 4,
      requestDate: '2026-01-05',
      status: 'in_progress',
      version: 1,
      requestIds: [310],
    });
    expect(after(failed(310))).toBeUndefined();
    expect(after(failed(310, null))).toBeUndefined();
  });

  it('MAP-47 STM-08 change from in progress to complete', () => {
    expect(after(started, mapped(310))).toMatchObject({ status: 'in_progress' });
    expect(after(started, mapped(310), completed(1))).toMatchObject({ status: 'complete', version: 1 });
  });

  it('OP-59 keep paid profiles when their launch fails, and continue with the next one', () => {
    expect(after(started, mapped(310), failed(310))).toMatchObject({ status: null, version: 1 });
    const second = [started, mapped(310), failed(310), mapped(311)];
    expect(after(...second)).toMatchObject({ status: 'in_progress', version: 2 });
    expect(after(...second, completed(2))).toMatchObject({ status: 'complete', version: 2 });
  });

  it('OPS-16 MAP-45 are imported for every persona, with null for unknown members', () => {
    const bare = { mappingId: 21, legacyId: 'm-1', companyId: null, requestDate: null };
    expect(after({ type: 'LegacyMappingImported', data: { ...bare, status: null, version: null } })).toEqual({
      id: 21,
      workspaceId: 1,
      companyId: null,
      personaId: null,
      requestDate: null,
      status: null,
      version: null,
      requestIds: [],
    });
  });

  it('MAP-46 stay complete while their people are read again, and get a new version', () => {
    expect(after(started, mapped(310), completed(1), mapped(310), again)).toMatchObject({
      status: 'complete',
      version: 2,
    });
  });
});
