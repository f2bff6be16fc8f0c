import { unknownTemplate } from '#catalogue/domain/templates/template-facts.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { signalTemplates } from '#projections/catalogue/signal-templates/signal-templates.projection.js';
import { handle } from '../../handle.js';
import { shownPrices } from '../workspace-prices.js';
import { signalTemplateView, SignalTemplateView, type SignalTemplateAnswer } from './signal-template.view.js';

type Found = { readonly data: SignalTemplateAnswer };

const params = { id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v3/signal-templates/:id',
  summary: 'Get a signal template',
  description: 'Also those that are coming soon and those that are retired.',
  params,
  response: DataOf(SignalTemplateView),
  problems: [unknownTemplate],
})
export class GetSignalTemplate extends EndpointQuery<Found, { params: typeof params }> {}

handle(GetSignalTemplate, async ({ workspaceId, params }, { readModels }) => {
  const [template, priceOf] = await Promise.all([
    readModels.get(signalTemplates, String(params.id)),
    shownPrices(readModels, workspaceId),
  ]);
  if (template === null) throw unknownTemplate();
  return { data: signalTemplateView(template, priceOf) };
});
