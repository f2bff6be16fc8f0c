import { foldAll } from '#kernel/testing/project.js';
import { signalTemplates } from './signal-templates.projection.js';

const content = {
  name: 'Topics',
  description: null,
  rowSummary: null,
  category: 'keywords',
  subjects: ['person'],
  scopes: ['discovery'],
  tags: [],
  signalBucket: 'essential',
  shape: 'keyword',
  displayOrder: 10,
  fields: { type: 'object' },
  detector: {
    kind: 'keyword_post',
    signalTypes: ['keywordDetection'],
    runs: ['single'],
    listType: null,
    requiresPersona: true,
    requiresTopAccounts: false,
  },
};
const template = { templateId: 7, key: 'topics' };
const defined = { type: 'TemplateDefined', data: { ...template, status: 'coming_soon', content } };
const after = (...events: { type: string; data: object }[]) =>
  foldAll(
    signalTemplates,
    [defined, ...events].map((event) => ({ ...event, metadata: {} })),
  ).get('7');

describe('the signal templates read model', () => {
  it('holds a template as it was defined', () => {
    expect(after()).toEqual({
      id: 7,
      key: 'topics',
      version: 1,
      status: 'coming_soon',
      retired: false,
      retiredAt: null,
      displayOrder: 10,
      content,
    });
  });

  it('follows a revision, also to no bucket, and keeps the rest', () => {
    const changes = { name: 'Subjects', signalBucket: null, displayOrder: 5 };
    expect(after({ type: 'TemplateRevised', data: { ...template, version: 2, changes } })).toEqual({
      ...after(),
      version: 2,
      displayOrder: 5,
      content: { ...content, ...changes },
    });
  });

  it('follows release and withdrawal, retirement and reinstatement', () => {
    const released = { type: 'TemplateReleased', data: { ...template, setBy: 'catalogue' } };
    const withdrawn = { type: 'TemplateWithdrawn', data: { ...template, setBy: 'operator' } };
    const retiredAt = '2026-02-05T10:00:00.000Z';
    const retired = { type: 'TemplateRetired', data: { ...template, setBy: 'operator', retiredAt } };
    const reinstated = { type: 'TemplateReinstated', data: { ...template, setBy: 'operator' } };
    expect(after(released)).toMatchObject({ status: 'live' });
    expect(after(released, withdrawn)).toMatchObject({ status: 'coming_soon' });
    expect(after(released, retired)).toMatchObject({ status: 'live', retired: true, retiredAt });
    expect(after(retired, reinstated)).toMatchObject({ retired: false, retiredAt: null });
  });
});
