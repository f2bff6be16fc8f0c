import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { page, PageOf, type OffsetPage } from '#http/paging.js';
import { booleanQuery, offsetPage } from '#http/parameters.js';
import type { Reply } from '#http/reply.js';
import { signalTemplates } from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import { handle } from '../../handle.js';
import { findPage } from '../../find-page.js';
import { shownPrices } from '../workspace-prices.js';
import { signalTemplateView, SignalTemplateView, type SignalTemplateAnswer } from './signal-template.view.js';

type Page = Reply<OffsetPage<SignalTemplateAnswer>>;

const query = { include_coming_soon: booleanQuery(400), page: offsetPage({ invalid: 400 }) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signal-templates',
  summary: 'List the signal templates',
  description:
    'The catalogue in display order, with the prices of the workspace. Retired templates are left out, ' +
    'templates that are coming soon as well unless they are asked for.',
  query,
  response: PageOf(SignalTemplateView),
})
export class ListSignalTemplates extends EndpointQuery<Page, { query: typeof query }> {}

handle(ListSignalTemplates, async ({ workspaceId, query }, { readModels }) => {
  const { include_coming_soon: includeComingSoon, page: asked } = query;
  const offered = {
    where: { retired: false, ...(includeComingSoon ? {} : { status: 'live' }) },
    sort: [
      ['displayOrder', 'asc'],
      ['id', 'asc'],
    ],
  } as const;
  const [{ rows, total }, priceOf] = await Promise.all([
    findPage(readModels, signalTemplates, offered, asked),
    shownPrices(readModels, workspaceId),
  ]);
  return page(
    rows.map((template) => signalTemplateView(template, priceOf)),
    total,
    asked,
  );
});
