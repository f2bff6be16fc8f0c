import type { ReferencePart } from '#http/reference.js';

/** The catalogue of signals. */
export const signalTemplates: readonly ReferencePart[] = [
  {
    of: ['SignalTemplate'],
    fields: {
      key: ['Key of the template, the same in every installation.', 'competitor-content-engagement'],
      name: ['Name of the signal.', 'Engagement with competitor content'],
      description: [
        'Description of the signal; null without one.',
        'People who comment on or react to what a competitor posts',
      ],
      row_summary: ['The same in one line; null without one.', 'Who engages with your competitors'],
      category: ['Family of signals that it belongs to.', 'engagement'],
      status: ['Whether it can be set up now (`live`) or is announced.'],
      subjects: ['Subjects of the signal: people, companies, or both.'],
      scopes: [
        'Scope of the search: new accounts (`discovery`), monitored accounts (`account_monitoring`), or both.',
      ],
      tags: ['Labels; new ones can appear at any time.', ['competition', 'popular']],
      pricing: ['Prices of its signals for the workspace.'],
      setup: ['The fields of a setup of this template.'],
      display_order: ['Place in the catalogue, ascending.', 80, 'place'],
      archived_at: [
        'When it was retired, in UTC; null while it can be set up. Setups of a retired template keep running.',
      ],
    },
  },
  {
    of: ['SignalTemplatePricing'],
    fields: {
      account_monitoring: [
        'Price of watching key accounts with its bucket; null while there is none, which does not mean free.',
      ],
      discovery: ['Price of a signal found elsewhere; null while there is none, which does not mean free.'],
    },
  },
  {
    of: ['SignalTemplatePricingAccountMonitoring', 'SignalTemplatePricingDiscovery', 'SignalBucketPricing'],
    fields: {
      credits: ['The price, exact and never rounded.', 20, 'credits'],
      unit: ['The unit of the price.'],
    },
  },
  {
    of: ['SignalTemplatePricingAccountMonitoring'],
    fields: { signal_bucket: ['The bucket that the template is in.'] },
  },
  {
    of: ['SignalTemplateSetup'],
    fields: {
      fields: [
        'JSON Schema (2020-12) of the `parameters` of a setup. Keywords that begin with `x-` are for forms; unknown ones are to be ignored.',
        {
          type: 'object',
          properties: { list_id: { type: 'integer', minimum: 1, 'x-watchlist-type': 'competitor' } },
          required: ['list_id'],
        },
      ],
      shape: ['Kind of the detector.'],
    },
  },
];
