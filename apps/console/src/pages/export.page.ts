import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { oneOfQuery, textQuery } from '#http/parameters.js';
import { CONSOLE, SUBJECT_PAGE, WORKSPACE_PATH, type Desk } from '../desk.js';
import { monthAsked, periodOf } from '../month.js';

const query = {
  month: textQuery({ maximum: 7, invalid: 422, empty: true }),
  from: textQuery({ maximum: 40, invalid: 422, empty: true }),
  to: textQuery({ maximum: 40, invalid: 422, empty: true }),
  format: oneOfQuery({ values: ['csv', 'jsonl', 'journal'], invalid: 422, otherwise: 'csv' }),
};

@Endpoint({
  ...SUBJECT_PAGE,
  route: 'GET /console/workspaces/:workspace_id/export',
  summary: 'The ledger of a month, or between two days, as a file',
  params: WORKSPACE_PATH,
  query,
})
export class ExportFile {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({
    params: { workspace_id: id },
    query: { month: asked, from, to, format },
    ...request
  }: PublicRequest<{ query: typeof query; params: typeof WORKSPACE_PATH }>) {
    const month = monthAsked(asked, this.desk.now());
    const period = from !== null && from !== '' && to !== null && to !== '' ? { from, to } : periodOf(month);
    const name = `ledger-${id}-${period.from.slice(0, 10)}-${period.to.slice(0, 10)}.${format}`;
    return this.desk.file(
      request,
      'ledger.export',
      { workspace_id: id, format, ...period },
      name.replace(/[^\w.-]/g, ''),
    );
  }
}
