import type { ReferencePart } from '#http/reference.js';

/** Runs, and quotes of launches. */
export const signalRuns: readonly ReferencePart[] = [
  {
    of: ['LaunchSignalRunBody', 'Quote'],
    fields: {
      quote_id: [
        'The sealed quote: a launch with it and the same body spends at most the quoted credits.',
        'quote_eyJ2IjoxfQ',
      ],
    },
  },
  {
    of: ['Quote'],
    fields: {
      expires_at: ['Until when a launch can be made with it: 15 minutes, in UTC.'],
      now: ['The present time of a launch with this quote, in UTC.'],
      candidates: ['Matches in the period, including signals that were found before.', 42, 'signals'],
      new: ['Matches that no earlier run of the agent or signal setup has found.', 40, 'signals'],
      free: ['New ones that cost nothing: of lower priority, or about covered accounts.', 4, 'signals'],
      priced: ['New ones that have a price.', 36, 'signals'],
      unit_price: ['Price of one priced signal.', 10, 'credits'],
      credits_needed: [
        'Cost of all priced signals, each charge counted once; null if the count is incomplete.',
        340,
        'credits',
      ],
      credits_at_most: [
        'Most credits that a launch with this quote spends: the smallest of `credits_needed`, the balance, the rest under the caps and `max_credits`, in whole signals.',
        340,
        'credits',
      ],
      exact: [
        'Whether a launch spends exactly `credits_at_most`, if nothing is ingested, covered or launched in between.',
      ],
      inexact_because: ['Why the quote is not exact; null if it is.'],
      limited_by: ['The limit that allows less than `credits_needed`; null if nothing does.'],
      balance: ['Available credits of the workspace, now and after such a launch.'],
      caps: ['The caps that count such a launch, now and after it.'],
    },
  },
  {
    of: ['QuotedBalance'],
    fields: {
      now: ['Available credits.', 1000, 'credits'],
      afterwards: ['Available credits after `credits_at_most` is spent.', 660, 'credits'],
    },
  },
  {
    of: ['QuotedCap'],
    fields: {
      spent_afterwards: ['Value of `spent` after `credits_at_most` is spent.', 460, 'credits'],
    },
  },
  {
    of: ['listSignalRuns'],
    fields: {
      agent_id: ['Only runs of this agent or signal setup.', 7],
      stage: ['Only runs in one of these stages; absent: of every stage.'],
      trigger: ['Only runs that were launched for this reason.'],
    },
  },
  {
    of: ['LaunchSignalRunBody', 'QuoteSignalRunBody'],
    fields: {
      agent_id: ['Id of the agent or signal setup to run; exactly one of it and `signal_setup_id`.', 7],
      signal_setup_id: ['Id of the signal setup to run; exactly one of it and `agent_id`.', 31],
      parameters: ['How to run it.'],
    },
  },
  {
    of: ['RunParameters', 'SignalRun', 'Quote'],
    fields: {
      lookback_days: [
        'The period of the search before the present. Champion agents do not use it.',
        90,
        'days',
      ],
    },
  },
  {
    of: ['LaunchedRun', 'SignalRun', 'CancelledRun'],
    fields: {
      signal_request_id: ['Id of the run, to poll it.', 91],
      stage: ['Stage of the run. A stage other than `running` never changes.'],
    },
  },
  {
    of: ['SignalRun'],
    fields: {
      agent_id: ['The agent or signal setup that runs.', 7],
      direction: ['Direction of the interactions: inbound or outbound; `single` for other agents.'],
      trigger: ['Why it was launched: by a request, by its schedule, or to watch monitored accounts.'],
      matches_found: ['Signals that were recorded, counted at the end of the run; 0 before.', 4, 'signals'],
      matches_dropped: [
        'Signals that were found and could not be paid for, counted at the end of the run; they are not kept.',
        0,
        'signals',
      ],
      credits_spent: ['Cost of the run, counted at its end; 0 before.', 40, 'credits'],
      completed_at: ['When it ended, in UTC; null while it runs.'],
    },
  },
  {
    of: ['LaunchSignalRunBody', 'QuoteSignalRunBody', 'SignalRun'],
    fields: {
      max_credits: ['Most credits that all runs of the launch together may spend.', 50, 'credits'],
    },
  },
  {
    of: ['SignalRun'],
    fields: {
      credits_left: [
        'The present rest of `max_credits` of its launch, also while it runs; null without a limit.',
        20,
        'credits',
      ],
    },
  },
];
