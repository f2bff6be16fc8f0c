import { quoteView, QuoteView } from '#signals/answers/quote.view.js';
import { quoteLaunch } from '#signals/quoting/quote-launch.js';
import { workspaceBlocked } from '#access/domain/workspaces/workspace.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { RequestRefused } from '#http/problem.js';
import { handle } from '../../handle.js';
import { sealQuote } from './sealed-quotes.js';
import { askedLaunch, askedLaunchProblems, QuoteSignalRunBody } from './signal-run.body.js';

const RETRY_AFTER_SECONDS = 1;

@Endpoint({
  caller: 'apiKey',
  route: 'POST /api/v2/workspace/signal-runs/quote',
  summary: 'Quote what a launch would find and spend',
  description:
    'The body of a launch. Counts the signals that such a launch would find now and answers the most that ' +
    'it would spend; nothing is changed or charged. Launch with the same body and its `quote_id` within 15 ' +
    'minutes: that launch uses the same present time and spends at most `credits_at_most`, once. If ' +
    '`exact` is true the launch spends exactly that, if nothing is ingested, covered or launched in between. ' +
    'Otherwise `inexact_because` is the reason: with `too_many` (more than 20,000 candidates) and `too_long` ' +
    '(more than 2 s) the quote shows the counts so far, and the limit is what balance and caps allow; ' +
    '`research` counts the companies about which a question would be asked. One quote at a time is computed ' +
    'for a workspace.',
  body: QuoteSignalRunBody,
  invalidBody: 400,
  readsOnly: true,
  response: QuoteView,
  problems: [workspaceBlocked, ...askedLaunchProblems],
})
export class QuoteSignalRun extends EndpointQuery<QuoteView, { body: QuoteSignalRunBody }> {}

handle(QuoteSignalRun, async ({ workspaceId, body: sent, context }, ports) => {
  const { key, source, unknown, lookbackDays, maxCredits, body } = await askedLaunch(
    ports.commands,
    workspaceId,
    sent,
  );
  // Only one quote at a time is made for a workspace, because a quote may read much of the network (QUO-01).
  const done = await ports.locks.alone(`quote:${workspaceId}`, () =>
    quoteLaunch(
      ports,
      source,
      { ...key, unknown, lookbackDays, maxCredits },
      { logId: ports.logId, body },
      context,
    ),
  );
  if (done === null) throw quoteUnderWay();
  return quoteView(done.result, sealQuote(ports.cursors, workspaceId, done.result.quote));
});

const quoteUnderWay = (): RequestRefused =>
  new RequestRefused({
    status: 429,
    detail: 'Another quote of the workspace is being made; try again when it is answered.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
