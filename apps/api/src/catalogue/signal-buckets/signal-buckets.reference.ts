import type { ReferencePart } from '#http/reference.js';

/** Buckets of signals. */
export const signalBuckets: readonly ReferencePart[] = [
  {
    of: ['SignalBucket'],
    fields: {
      key: [
        'Key of the bucket, the same in every installation: essential, standard or advanced.',
        'essential',
      ],
      name: ['Name of the bucket.', 'Essential'],
      description: ['Description of its content; null without one.', 'Signals that every account team needs'],
      display_order: ['Place among the buckets, ascending.', 10, 'place'],
      signal_template_ids: ['Ids of the templates in it.', [1, 8]],
      pricing: [
        'Price of an account on a list with this bucket, for the workspace; null while there is none, which does not mean free.',
      ],
    },
  },
];
