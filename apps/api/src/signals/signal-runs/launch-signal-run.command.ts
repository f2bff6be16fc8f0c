import { OneOf, Id, Type } from '#kernel/values/schema.js';
import { launchProblems, prepareLaunch } from '#signals/launching/launch.js';
import { quoteOutdated } from '#signals/launching/quotes.js';
import { quoteUsed } from '#signals/domain/launches/launches.js';
import { creditHeaders } from '#http/credit-headers.js';
import { Endpoint, EndpointCommand } from '#http/endpoint.js';
import { reply, type Reply } from '#http/reply.js';
import { creditsLeft } from '../../ledger/credits-left.js';
import { handle } from '../../handle.js';
import { openQuote, unknownQuote } from './sealed-quotes.js';
import { askedLaunch, askedLaunchProblems, LaunchSignalRunBody } from './signal-run.body.js';

const LaunchedRuns = Type.Array(
  Type.Object({ signal_request_id: Id, stage: OneOf('running') }, { title: 'LaunchedRun' }),
);
type LaunchedRuns = Reply<readonly { readonly signal_request_id: number; readonly stage: 'running' }[]>;

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/workspace/signal-runs',
  summary: 'Launch the runs of an agent or a signal setup',
  description:
    'Names an agent or setup (`agent_id`) or a setup (`signal_setup_id`). Answers when the runs are ' +
    'launched: one for keyword agents, one per direction for interaction agents. Poll `GET ' +
    '/api/v2/workspace/signal-runs/{id}` until the stage is no longer `running`. Priced signals are charged ' +
    'when they are found, never beyond the balance, a cap or `max_credits`, which all runs of the launch ' +
    'share. With the `quote_id` of a quote of the same body it spends at most the quoted credits, and uses ' +
    'the time of the quote as its present time.',
  status: 202,
  body: LaunchSignalRunBody,
  invalidBody: 400,
  response: LaunchedRuns,
  reportsCredits: 'remaining',
  problems: [...launchProblems, ...askedLaunchProblems, unknownQuote, quoteOutdated, quoteUsed],
})
export class LaunchSignalRun extends EndpointCommand<LaunchedRuns, { body: LaunchSignalRunBody }> {}

handle(LaunchSignalRun, async ({ workspaceId, body: sent, context }, ports) => {
  const { key, source, unknown, lookbackDays, maxCredits, body } = await askedLaunch(
    ports.commands,
    workspaceId,
    sent,
  );
  const quote =
    sent.quote_id === undefined
      ? null
      : { quote: openQuote(ports.cursors, workspaceId, sent.quote_id), logId: ports.logId, body };
  const asked = { ...key, trigger: 'manual', lookbackDays, maxCredits, quote, unknown } as const;
  const prepare = () => prepareLaunch(ports, source, asked, context);
  const runs =
    source === null ? (await prepare()).runs : await source.launch(ports.commands, key, prepare, context);
  const remaining = await creditsLeft(ports, workspaceId);
  return reply(
    runs.map(({ runId }) => ({ signal_request_id: runId, stage: 'running' as const })),
    { headers: creditHeaders({ remaining }) },
  );
});
