import { oneOfQuery, textQuery } from '#http/parameters.js';
import { atDesk, SUBJECT_STATUSES } from '../console-endpoints.js';
import { WORKSPACE_PATH } from '../desk.js';
import { monthAsked, periodOf } from '../month.js';

export const ExportFile = atDesk({
  route: 'GET /console/workspaces/:workspace_id/export',
  summary: 'The ledger of a month, or between two days, as a file',
  params: WORKSPACE_PATH,
  query: {
    month: textQuery({ maximum: 7, invalid: 422, empty: true }),
    from: textQuery({ maximum: 40, invalid: 422, empty: true }),
    to: textQuery({ maximum: 40, invalid: 422, empty: true }),
    format: oneOfQuery({ values: ['csv', 'jsonl', 'journal'], invalid: 422, otherwise: 'csv' }),
  },
  otherStatuses: SUBJECT_STATUSES,
  answer(desk, { params: { workspace_id: id }, query: { month: asked, from, to, format }, ...request }) {
    const month = monthAsked(asked, desk.now());
    const period = from !== null && from !== '' && to !== null && to !== '' ? { from, to } : periodOf(month);
    const name = `ledger-${id}-${period.from.slice(0, 10)}-${period.to.slice(0, 10)}.${format}`;
    return desk.file(
      request,
      'ledger.export',
      { workspace_id: id, format, ...period },
      name.replace(/[^\w.-]/g, ''),
    );
  },
});
