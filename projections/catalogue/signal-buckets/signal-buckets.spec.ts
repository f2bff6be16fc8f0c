import { foldAll } from '#kernel/testing/project.js';
import { SIGNAL_BUCKETS_KEY, signalBuckets } from './signal-buckets.projection.js';

const bucket = (key: string, displayOrder: number, name = key) => ({
  type: 'BucketDefined',
  data: { key, name, description: null, displayOrder },
});
const defined = (templateId: number, signalBucket: string | null, displayOrder: number) => ({
  type: 'TemplateDefined',
  data: { templateId, key: `t-${templateId}`, status: 'live', content: { signalBucket, displayOrder } },
});
const revised = (templateId: number, changes: object) => ({
  type: 'TemplateRevised',
  data: { templateId, key: `t-${templateId}`, version: 2, changes },
});
const after = (...events: { type: string; data: object }[]) =>
  foldAll(
    signalBuckets,
    events.map((event) => ({ ...event, metadata: {} })),
  ).get(SIGNAL_BUCKETS_KEY);

describe('the signal buckets read model', () => {
  it('BKT-03 orders buckets by display order and takes a new definition in place of the old', () => {
    const document = after(
      bucket('standard', 20),
      bucket('essential', 10),
      bucket('standard', 5, 'Standard'),
    );
    expect(document?.buckets.map(({ key, name }) => [key, name])).toEqual([
      ['standard', 'Standard'],
      ['essential', 'essential'],
    ]);
  });

  it('orders the templates by display order, then id', () => {
    const document = after(defined(3, 'standard', 10), defined(1, null, 20), defined(2, 'essential', 10));
    expect(document?.members.map((member) => member.templateId)).toEqual([2, 3, 1]);
  });

  it('follows a template to another bucket, to none, and to another place', () => {
    const moved = after(defined(1, 'essential', 10), revised(1, { signalBucket: 'standard' }));
    expect(moved?.members).toEqual([{ templateId: 1, bucket: 'standard', displayOrder: 10, retired: false }]);
    const out = after(defined(1, 'essential', 10), revised(1, { signalBucket: null, displayOrder: 30 }));
    expect(out?.members).toEqual([{ templateId: 1, bucket: null, displayOrder: 30, retired: false }]);
  });

  it('notes who is retired', () => {
    const retired = { type: 'TemplateRetired', data: { templateId: 1, key: 't-1' } };
    const reinstated = { type: 'TemplateReinstated', data: { templateId: 1, key: 't-1' } };
    expect(after(defined(1, 'essential', 10), retired)?.members).toMatchObject([{ retired: true }]);
    expect(after(defined(1, 'essential', 10), retired, reinstated)?.members).toMatchObject([
      { retired: false },
    ]);
  });
});
