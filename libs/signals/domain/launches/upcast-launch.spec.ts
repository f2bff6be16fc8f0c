import { launchBeforeAudiences } from './upcast-launch.js';

describe('a launch recorded by a version without audiences', () => {
  const asked = (detectorKind: string, more: object = {}) => {
    const { detectorKind: kind, audiences } = launchBeforeAudiences({ detectorKind, persona: null, ...more });
    return [kind, audiences];
  };
  const scope = { kind: 'list', listId: 12, listRevision: '41' };

  it('gets the audiences of its detector or list', () => {
    expect(asked('keyword_post')).toEqual(['keyword_post', ['network']]);
    expect(asked('keyword_post', { scope })).toEqual(['keyword_post', ['list_members']]);
    expect(asked('top_account_post')).toEqual(['keyword_post', ['top_accounts']]);
    expect(asked('job_posting')).toEqual(['keyword_job_posting', ['network']]);
    expect(asked('top_account_job_posting')).toEqual(['keyword_job_posting', ['top_accounts']]);
  });

  it('has no market of its persona, and no covered account', () => {
    const persona = { personaId: 4, jobTitles: ['VP Sales'] };
    expect(launchBeforeAudiences({ detectorKind: 'keyword_post', persona })).toMatchObject({
      persona: { ...persona, headcounts: [], industries: [] },
      coveredFor: null,
      targetTitles: null,
    });
  });
});
