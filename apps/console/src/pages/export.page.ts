import { oneOfQuery } from '#http/parameters.js';
import { atDesk, SUBJECT_STATUSES } from '../console-endpoints.js';
import { WORKSPACE_PATH } from '../desk.js';
import { MONTH_FIELD, monthOf, periodGiven, periodOf, TIME_FIELD } from '../month.js';

export const ExportFile = atDesk({
  route: 'GET /console/workspaces/:workspace_id/export',
  summary: 'The ledger of a month, or between two days, as a file',
  params: WORKSPACE_PATH,
  query: {
    month: MONTH_FIELD,
    from: TIME_FIELD,
    to: TIME_FIELD,
    format: oneOfQuery({ values: ['csv', 'jsonl', 'journal'], invalid: 422, otherwise: 'csv' }),
  },
  otherStatuses: SUBJECT_STATUSES,
  answer(desk, { params: { workspace_id: id }, query: { month, from, to, format }, ...request }) {
    const given = periodGiven(from, to);
    if (given instanceof Error) return desk.page(request, () => Promise.reject(given));
    const period = given ?? periodOf(month ?? monthOf(desk.now()));
    const days = [period.from, period.to].flatMap((end) => (end === undefined ? [] : [end.slice(0, 10)]));
    const name = `ledger-${id}-${days.join('-')}.${format}`;
    return desk.file(
      request,
      'ledger.export',
      { workspace_id: id, format, ...period },
      name.replace(/[^\w.-]/g, ''),
    );
  },
});
