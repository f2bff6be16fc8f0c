import { ownerOf, requireOwner, WrongWorkspace } from './scope.js';

const ofWorkspaces = { category: 'list', scope: 'workspace' } as const;
const caller = (workspaceId: number | null) =>
  ({ commandId: 'c', actor: { kind: 'system', id: 'test' }, workspaceId, correlationId: '' }) as const;

describe('the workspace of a stream', () => {
  it('is named by the id of the stream', () => {
    expect(ownerOf(ofWorkspaces, '7')).toBe(7);
    expect(ownerOf(ofWorkspaces, '7_12')).toBe(7);
    expect(ownerOf(ofWorkspaces, '70_0af3_x')).toBe(70);
  });

  it('is an error if the id of the stream names no workspace', () => {
    for (const id of ['', '0', '07', '-1', '7_', '7x', 'operator_7', '_7', '1.5', '9007199254740993'])
      expect(() => ownerOf(ofWorkspaces, id)).toThrow(`list-${id} names no workspace`);
  });

  it('is none for a global aggregate, even with an id like a workspace’s', () => {
    for (const id of ['', '7', '7_12'])
      expect(ownerOf({ category: 'partner', scope: 'global' }, id)).toBeNull();
  });

  it('is that of each event if streams are named after something else', () => {
    const scope = ({ data }: { readonly data: { readonly workspaceId: number } }) => data.workspaceId;
    expect(ownerOf({ category: 'apiKey', scope }, '0af3')).toBe(scope);
  });
});

describe('a caller', () => {
  it('writes to the streams of its workspace, or to all if it has none', () => {
    for (const [owner, workspaceId] of [
      [7, 7],
      [7, null],
      [null, null],
    ] as const)
      expect(() => requireOwner('list-7_1', owner, caller(workspaceId))).not.toThrow();
  });

  it('is refused for streams of other workspaces and of none', () => {
    expect(() => requireOwner('list-7_1', 7, caller(8))).toThrow(WrongWorkspace);
    expect(() => requireOwner('prices', null, caller(8))).toThrow('prices belongs to no workspace, not to 8');
  });
});
