import { foldAll } from '#kernel/testing/project.js';
import { linkedNameKey, linkedNames } from './linked-names.projection.js';

const linked = (workspaceId: string, companyId: number, identity: string) => ({
  type: 'IdentityLinked',
  data: { companyId, identity },
  metadata: { workspaceId },
});

describe('the names that were linked to companies', () => {
  it('OP-10 find the company in its workspace', () => {
    const documents = foldAll(linkedNames, [
      linked('1', 9, 'domain:acme-group.example'),
      linked('1', 9, 'handle:acme'),
      linked('2', 10, 'handle:acme'),
    ]);
    expect(documents.size).toBe(3);
    expect(documents.get(linkedNameKey(1, 'domain:acme-group.example'))).toEqual({ companyId: 9 });
    expect(documents.get(linkedNameKey(1, 'handle:acme'))).toEqual({ companyId: 9 });
    expect(documents.get(linkedNameKey(2, 'handle:acme'))).toEqual({ companyId: 10 });
  });
});
