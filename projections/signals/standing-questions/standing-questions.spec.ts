import { workspaceScoped } from '#kernel/commands/decider.js';
import { foldAll, type HappenedEvent } from '#kernel/testing/project.js';
import { sampleSetup } from '#projections/testing/sample-events.js';
import { standingQuestions } from './standing-questions.projection.js';

const at = { metadata: { workspaceId: '1', recordedAt: '2026-01-05T10:00:00.000Z' } };
const agent = (type: string, parameters: object = {}): HappenedEvent => ({
  type: 'AgentCreated',
  data: { agentId: 7, type, name: 'Agent', parameters },
  ...at,
});
const happened = (type: string, data: object): HappenedEvent => ({ type, data, ...at });
const questionOf = (...events: readonly HappenedEvent[]) =>
  foldAll(standingQuestions, events).get(workspaceScoped(1, 7));

describe('the standing questions', () => {
  it('LIV-01 have type, keywords, cap and mode of an agent', () => {
    const created = agent('keyword_detection', { tracking_keywords: ['crm'], start_date: '2026-01-01' });
    expect(questionOf(created)).toMatchObject({
      ownerKind: 'agent',
      ownerId: 7,
      enabled: true,
      agentType: 'keyword_detection',
      parameters: { tracking_keywords: ['crm'] },
    });
    const changes = { parameters: { max_posts_to_scrape: 5 }, removedParameters: ['tracking_keywords'] };
    expect(questionOf(created, happened('AgentChanged', { agentId: 7, changes }))?.parameters).toEqual({
      max_posts_to_scrape: 5,
    });
  });

  it('LIV-01 have template, persona and keywords of a setup', () => {
    const parameters = { tracking_keywords: ['crm'], match_mode: 'all' };
    const setup = sampleSetup({ setupId: 7, templateId: 3, personaId: 4, parameters });
    const created = happened('SignalSetupCreated', setup);
    expect(questionOf(created)).toMatchObject({
      ownerKind: 'setup',
      templateId: 3,
      personaId: 4,
      parameters: { tracking_keywords: ['crm'] },
    });
  });

  it('LIV-03 are disabled with their agent or setup, and for good with a deleted agent', () => {
    const created = agent('keyword_detection');
    const disabled = happened('AgentChanged', { agentId: 7, changes: { enabled: false } });
    expect(questionOf(created, disabled)?.enabled).toBe(false);
    const enabled = happened('AgentChanged', { agentId: 7, changes: { enabled: true } });
    expect(questionOf(created, disabled, enabled)?.enabled).toBe(true);
    expect(questionOf(created, happened('AgentDeleted', { agentId: 7, listId: null }))?.enabled).toBe(false);
  });

  it('LIV-01 have the position of their last change, so that changes since a position can be read', () => {
    const created = agent('keyword_detection');
    const before = questionOf(created)?.changed ?? '';
    const changed = happened('AgentChanged', { agentId: 7, changes: { name: 'Other' } });
    expect((questionOf(created, changed)?.changed ?? '') > before).toBe(true);
  });

  it('LIV-01 lose the parameters of an agent together with its type', () => {
    const created = agent('unconfigured', { mode: 'all' });
    const bound = happened('AgentBound', { agentId: 7, type: 'competitor', listId: 2, listKind: 'company' });
    expect(questionOf(created, bound)).toMatchObject({ agentType: 'competitor', parameters: {} });
  });
});
