import { refusal } from '#kernel/values/refusal.js';
import { Endpoint, EndpointQuery } from '#http/endpoint.js';
import { DataOf } from '#http/paging.js';
import { idParam } from '#http/parameters.js';
import { contentKey, contents } from '#projections/identities/contents/contents.projection.js';
import { ownDocument } from '../../own-document.js';
import { handle } from '../../handle.js';
import { ContentView, contentView } from './content.view.js';

const unknownContent = refusal({
  code: 'unknown-content',
  kind: 'missing',
  detail: 'There is no content with this id in the workspace.',
});

const params = { content_id: idParam(400) };

@Endpoint({
  caller: 'apiKey',
  route: 'GET /api/v2/contents/:content_id',
  summary: 'Get the content that a detection refers to',
  description:
    'The post, comment or job posting behind the `content_id` of a detection: its text, its author, and its ' +
    'last known counts.',
  params,
  response: DataOf(ContentView),
  problems: [unknownContent],
})
export class GetContent extends EndpointQuery<DataOf<ContentView>, { params: typeof params }> {}

handle(GetContent, async ({ workspaceId, params }, { readModels }) => {
  const wanted = { view: contents, key: contentKey(params.content_id), unknown: unknownContent };
  return { data: contentView(await ownDocument(readModels, workspaceId, wanted)) };
});
