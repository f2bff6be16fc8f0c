import type { ReferencePart } from '#http/reference.js';

/** Setups made from the catalogue. */
export const signalSetups: readonly ReferencePart[] = [
  {
    of: ['SignalSetup', 'CreateSignalSetupBody', 'ChangeSignalSetupBody'],
    fields: {
      name: [
        'Name of the setup, 1 to 255 characters; the default is the name of its template.',
        'Rival posts',
      ],
      schedule: ['How often it runs by itself: once a week, or null for never.'],
    },
  },
  {
    of: ['CreateSignalSetupBody'],
    fields: {
      signal_template_id: ['Id of the template; exactly one of it and `signal_template_key`.', 8],
      signal_template_key: [
        'Key of the template, the same on every installation; exactly one of it and `signal_template_id`.',
        'competitor-content-engagement',
      ],
    },
  },
  {
    of: ['SignalSetup', 'CreateSignalSetupBody'],
    fields: { parameters: ['Answers to the `setup.fields` of the template.', { list_id: 12 }] },
  },
  {
    of: ['ChangeSignalSetupBody'],
    fields: {
      parameters: [
        'Merged into the parameters key by key; null takes one away. The `list_id` cannot be changed.',
        { min_comment_length: 20 },
      ],
      enabled: ['Whether the setup runs automatically; a disabled setup can still be launched by a request.'],
    },
  },
  {
    of: ['SignalSetup'],
    fields: {
      status: ['Whether the setup runs automatically; a disabled setup can still be launched by a request.'],
    },
  },
  {
    of: ['SignalSetupStats'],
    fields: {
      period_start: ['Begin of the 90 days, in UTC.'],
      period_end: ['End of the 90 days, in UTC: the moment of the request.'],
      signals_found: ['Top-priority signals of the period.', 14, 'signals'],
      accounts_reached: ['Companies that these signals are about, each once.', 9, 'companies'],
      key_accounts: ['Of those, companies on a list of customers or prospects now.', 4, 'companies'],
      new_accounts: ['Of those, all others.', 5, 'companies'],
      credits_spent: ['Credits held or captured for the setup in the period.', 140, 'credits'],
      weeks: ['The period in thirteen weeks, oldest first; the first one may be shorter.'],
      latest_signal: ['The latest signal; null without one in the period.'],
    },
  },
  {
    of: ['SignalSetupWeek'],
    fields: {
      start: ['Begin of the week, in UTC.'],
      signals_found: ['Top-priority signals of the week.', 2, 'signals'],
    },
  },
];
