import type { CatalogueEvents, SignalBucketKey } from '#catalogue/domain/templates/catalogue.events.js';
import { projection } from '#kernel/projections/projection.js';

export type SignalBucket = CatalogueEvents['BucketDefined'];

/** A template in a bucket. */
export type BucketMember = {
  readonly templateId: number;
  readonly bucket: SignalBucketKey | null;
  readonly displayOrder: number;
  readonly retired: boolean;
};

/** All buckets with their templates in one document: there are three, and a page needs all of them. */
export type SignalBucketsDocument = {
  /** In display order. */
  readonly buckets: readonly SignalBucket[];
  /** In display order, templates in no bucket and retired ones included. */
  readonly members: readonly BucketMember[];
};

export const SIGNAL_BUCKETS_KEY = 'all';

const EMPTY: SignalBucketsDocument = { buckets: [], members: [] };

function withMember(
  document: SignalBucketsDocument | null,
  templateId: number,
  change: (member: BucketMember) => BucketMember,
): SignalBucketsDocument {
  const { buckets, members } = document ?? EMPTY;
  const nowhere = { templateId, bucket: null, displayOrder: 0, retired: false };
  const member = change(members.find((known) => known.templateId === templateId) ?? nowhere);
  const others = members.filter((known) => known.templateId !== templateId);
  return {
    buckets,
    members: [...others, member].sort(
      (left, right) => left.displayOrder - right.displayOrder || left.templateId - right.templateId,
    ),
  };
}

export const signalBuckets = projection<SignalBucketsDocument, CatalogueEvents>()({
  name: 'signal-buckets',
  version: 1,
  indexes: {},
  key: () => SIGNAL_BUCKETS_KEY,
  on: {
    BucketDefined: (document, { data }) => {
      const { buckets, members } = document ?? EMPTY;
      const others = buckets.filter((bucket) => bucket.key !== data.key);
      return {
        buckets: [...others, data].sort((left, right) => left.displayOrder - right.displayOrder),
        members,
      };
    },
    TemplateDefined: (document, { data: { templateId, content } }) =>
      withMember(document, templateId, (member) => ({
        ...member,
        bucket: content.signalBucket,
        displayOrder: content.displayOrder,
      })),
    TemplateRevised: (document, { data: { templateId, changes } }) =>
      withMember(document, templateId, (member) => ({
        ...member,
        bucket: changes.signalBucket === undefined ? member.bucket : changes.signalBucket,
        displayOrder: changes.displayOrder ?? member.displayOrder,
      })),
    TemplateRetired: (document, { data }) =>
      withMember(document, data.templateId, (member) => ({ ...member, retired: true })),
    TemplateReinstated: (document, { data }) =>
      withMember(document, data.templateId, (member) => ({ ...member, retired: false })),
  },
});
