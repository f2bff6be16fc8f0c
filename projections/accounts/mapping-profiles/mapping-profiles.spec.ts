import { foldAll } from '#kernel/testing/project.js';
import { sampleProfile } from '#projections/testing/sample-events.js';
import { mappingProfiles } from './mapping-profiles.projection.js';

const mapped = (mappingId: number, ...profiles: readonly object[]) => ({
  type: 'ProfilesMapped',
  data: { mappingId, requestId: 310, profiles },
});
const ana = sampleProfile();
const luc = sampleProfile({ personRef: 'p:luc', leadId: 78 });

describe('the profiles of mappings', () => {
  it('are one document each, with their mapping', () => {
    const documents = [...foldAll(mappingProfiles, [mapped(21, ana, luc), mapped(22, ana)]).values()];
    expect(documents).toEqual([
      { ...ana, workspaceId: 1, mappingId: 21 },
      { ...luc, workspaceId: 1, mappingId: 21 },
      { ...ana, workspaceId: 1, mappingId: 22 },
    ]);
  });

  it('show the latest facts of a person', () => {
    const promoted = { ...ana, position: 'CRO' };
    const documents = [...foldAll(mappingProfiles, [mapped(21, ana), mapped(21, promoted)]).values()];
    expect(documents).toEqual([{ ...promoted, workspaceId: 1, mappingId: 21 }]);
  });
});
