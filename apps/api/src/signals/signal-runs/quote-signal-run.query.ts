import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Clock } from '#kernel/ports/clock.js';
import type { Commands } from '#kernel/commands/commands.js';
import type { Ids } from '#kernel/commands/ids.js';
import type { ReadModelProgress } from '#kernel/ports/progress.port.js';
import type { ReadModels } from '#kernel/ports/read-store.port.js';
import type { Coverage } from '#signals/detection/coverage.port.js';
import type { ResearchLimits } from '#signals/detection/research/researcher.port.js';
import type { TopAccounts } from '#signals/detection/top-accounts.port.js';
import { quoteView, QuoteView } from '#signals/answers/quote.view.js';
import { quoteLaunch } from '#signals/quoting/quote-launch.js';
import { workspaceBlocked } from '#access/domain/workspaces/workspace.js';
import { Cursors } from '#http/cursors.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import type { NetworkDirectory } from '#network/network-directory.port.js';
import type { NetworkSource } from '#network/network-source.port.js';
import {
  API_SETTINGS,
  CLOCK,
  COMMANDS,
  COVERAGE,
  IDS,
  NETWORK,
  NETWORK_DIRECTORY,
  PROGRESS,
  READ_MODELS,
  RESEARCH_LIMITS,
  TOP_ACCOUNTS,
  type ApiSettings,
} from '../../ports.js';
import { QuotesUnderWay } from './quotes-under-way.js';
import { sealQuote } from './sealed-quotes.js';
import { askedLaunch, askedLaunchProblems, QuoteSignalRunBody } from './signal-run.body.js';

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

@QueryHandler(QuoteSignalRun)
export class QuoteSignalRunHandler implements IQueryHandler<QuoteSignalRun> {
  constructor(
    @Inject(COMMANDS) readonly commands: Commands,
    @Inject(READ_MODELS) readonly readModels: ReadModels,
    @Inject(PROGRESS) readonly progress: ReadModelProgress,
    @Inject(IDS) readonly ids: Ids,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(COVERAGE) readonly coverage: Coverage,
    @Inject(TOP_ACCOUNTS) readonly topAccounts: TopAccounts,
    @Inject(NETWORK) readonly network: NetworkSource,
    @Inject(NETWORK_DIRECTORY) readonly directory: NetworkDirectory,
    @Inject(RESEARCH_LIMITS) readonly researchLimits: ResearchLimits | null,
    @Inject(API_SETTINGS) private readonly settings: ApiSettings,
    private readonly cursors: Cursors,
    private readonly underWay: QuotesUnderWay,
  ) {}

  async execute({ request: { workspaceId, body: sent, context } }: QuoteSignalRun): Promise<QuoteView> {
    const { key, source, unknown, lookbackDays, maxCredits, body } = await askedLaunch(
      this.commands,
      workspaceId,
      sent,
    );
    const quoted = await this.underWay.alone(workspaceId, () =>
      quoteLaunch(
        this,
        source,
        { ...key, unknown, lookbackDays, maxCredits },
        { logId: this.settings.logId, body },
        context,
      ),
    );
    return quoteView(quoted, sealQuote(this.cursors, workspaceId, quoted.quote));
  }
}
