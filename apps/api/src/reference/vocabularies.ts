type Pair = { readonly v2: string; readonly v3: string; readonly note: string };

/** Things with two names: the older one and the one for new programs. Names are in back quotes. */
export const VOCABULARIES: readonly Pair[] = [
  {
    v2: '`/api/v2/agents`, `agent_id`',
    v3: '`/api/v3/signal-setups`, `signal_setup_id`',
    note: 'Agents and setups share one range of ids: the `agent_id` of a run or detection of a setup is the id of the setup. An agent has a `type`, a setup a template.',
  },
  {
    v2: '`type` of an agent',
    v3: '`signal_template_id` or `signal_template_key`',
    note: 'A setup is created with exactly one of the two. Agents have no template.',
  },
  {
    v2: '`enabled`, `schedulable`',
    v3: '`status`',
    note: 'Whether it runs automatically: true or false for an agent, `enabled` or `disabled` for a setup.',
  },
  {
    v2: '`watchlist_id`, `watchlist_kind`',
    v3: '`list_id`',
    note: 'The list that an agent or a setup watches. The kind of a list never changes.',
  },
  {
    v2: '`/api/v2/watchlists`, `title`',
    v3: '`/api/v2/lists`, `name`',
    note: 'The same lists. `/api/v3/lists` shows them with their monitoring.',
  },
  {
    v2: '`entities`, `entity_count`, `entity_id`',
    v3: '`members`, `member_count`, `member_id`',
    note: 'Companies or people on a list.',
  },
  {
    v2: '`default_signal_bucket`, `signal_bucket`, `/signal-bucket`',
    v3: '`signal_buckets`, `/signal-buckets`',
    note: 'v2 labels a list or member with one bucket; v3 monitors it in a set of buckets, which is charged.',
  },
  {
    v2: '`/api/v2/persona`',
    v3: '`/api/v2/personas`, `/api/v3/personas`',
    note: 'The oldest persona of the workspace; all personas. PUT of v3 creates or changes the persona with this tag.',
  },
  {
    v2: '`/api/v2/workspace/signals/query`',
    v3: '`/api/v3/signals/query`',
    note: 'All detections; those of top priority, in one shape for all types.',
  },
  {
    v2: '`data`, `author`, `excerpt`',
    v3: '`details`',
    note: 'The match: one shape per `signal_type`; one shape for all types. `lead_id` and `company_id` of v2 are `lead` and `company`.',
  },
  {
    v2: '`next_cursor`',
    v3: '`meta.cursor.next`',
    note: 'The cursor of the next page; null on the last page.',
  },
  {
    v2: '`signal_request_id`',
    v3: '`signal_run_id`',
    note: 'The run: in the responses of launch and polling; as a filter of signals.',
  },
  {
    v2: '`type` of a problem',
    v3: '`title` of a problem',
    note: 'Identifies the problem. On paths of v3 `type` is `about:blank`.',
  },
];

/** The pairs as a table in Markdown, for the page of the API. */
export const vocabularyTable = (): string =>
  [
    '| v2, or older | v3, or newer | Difference |',
    '| --- | --- | --- |',
    ...VOCABULARIES.map(({ v2, v3, note }) => `| ${v2} | ${v3} | ${note} |`),
  ].join('\n');
