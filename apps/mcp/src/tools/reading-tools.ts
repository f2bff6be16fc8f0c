import { messageTool } from './message-tool.js';

/** The tools that send one message each. */
export const readingTools = [
  messageTool({
    name: 'find_signals',
    title: 'Find signals',
    description:
      'Finds the top-priority signals that were detected for the workspace, most recently detected first: who did what, ' +
      'when, and where it was seen. Without dates: what was detected in the last 90 days. ' +
      'Go on with `meta.cursor.next` as `cursor` and the same filters.',
    route: 'POST /api/v3/signals/query',
  }),
  messageTool({
    name: 'list_signal_setups',
    title: 'List signal setups',
    description:
      'Lists the signal setups of the workspace: what each watches for, and whether it runs by a schedule. The id of a ' +
      'setup is the `signal_setup_id` of other tools.',
    route: 'GET /api/v3/signal-setups',
  }),
  messageTool({
    name: 'list_signal_templates',
    title: 'List signal templates',
    description:
      'Lists the kinds of signals that can be watched for, with the prices of this workspace: `pricing.discovery.credits` is ' +
      'what one priced signal costs, `pricing.account_monitoring.credits` an account a month. Null means no price yet.',
    route: 'GET /api/v3/signal-templates',
  }),
  messageTool({
    name: 'preview_keywords',
    title: 'Preview keywords',
    description:
      'Counts the posts of the observed network that mention keywords, before a setup is made of them, and shows parts of ' +
      'at most ten. 60 previews a minute and 500 a day.',
    route: 'POST /api/v3/keywords/preview',
  }),
  messageTool({
    name: 'quote_run',
    title: 'Quote a run',
    description:
      'Counts what a run of a signal setup or agent would find now, and what it would spend at most (`credits_at_most`). ' +
      'It changes nothing. Exactly one of `signal_setup_id` and `agent_id` is needed. launch_run with the same arguments, ' +
      '`max_credits` among them, and the `quote_id` spends at most what was quoted.',
    route: 'POST /api/v2/workspace/signal-runs/quote',
  }),
  messageTool({
    name: 'get_run',
    title: 'Look at a run',
    description:
      'Shows how far a run is, what it found and what it spent. The stage leaves `running` once everything that it found ' +
      'and charged is there to be read. `wait_seconds` waits for that. `signal_run_id` is the `signal_request_id` that ' +
      'launch_run answers.',
    route: 'GET /api/v2/workspace/signal-runs/:id',
    called: { signal_run_id: 'id' },
    waits: true,
  }),
  messageTool({
    name: 'list_top_accounts',
    title: 'List top accounts',
    description: 'Lists the top accounts of the workspace, and whether each is monitored.',
    route: 'GET /api/v3/top-account-list/accounts',
  }),
  messageTool({
    name: 'get_balance',
    title: 'Get the balance',
    description: 'Shows the credits of the workspace: what can be spent, what is held and what was spent.',
    route: 'GET /api/v3/credits/balance',
  }),
  messageTool({
    name: 'get_forecast',
    title: 'Foresee the balance',
    description: 'Foresees the balance of the next 90 days, and the day on which it ends.',
    route: 'GET /api/v3/credits/forecast',
  }),
];
