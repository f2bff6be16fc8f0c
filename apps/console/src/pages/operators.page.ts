import { counted } from '#kernel/values/counted.js';
import { html } from '#http/page.js';
import { actionLink } from '../actions/action.js';
import { numberOf, partOf, rowsOf, shown } from '../answer.js';
import { page } from '../console-endpoints.js';
import { PAGE_NUMBER } from '../desk.js';
import { actionLinks, pageLinks, table } from '../layout.js';
import { moment } from '../parts.js';

export const OperatorsPage = page({
  route: 'GET /console/operators',
  summary: 'The operators, with their roles',
  query: { page: PAGE_NUMBER },
  async show({ run, may }, { page }) {
    const answer = await run('operator.list', { page });
    const rows = rowsOf(answer, 'operators');
    return {
      title: 'Operators',
      body: html`${actionLinks(may, [['operator.add', {}, 'Add an operator']])}
      ${table(
        `${counted(numberOf(partOf(answer), 'total'), 'operator')}; the holder of OPS_TOKEN is not among them`,
        ['Name', 'Role', 'Added (UTC)', 'Added by', 'New token (UTC)', 'Revoked (UTC)', 'Action'],
        rows.map((operator) => {
          const name = shown(operator, 'name');
          const isActive = shown(operator, 'revoked_at') === '-';
          return [
            name,
            shown(operator, 'role'),
            moment(operator, 'added_at'),
            shown(operator, 'added_by'),
            moment(operator, 'rotated_at'),
            moment(operator, 'revoked_at'),
            isActive && may('operator.revoke')
              ? html`<a href="${actionLink('operator.rotate', { name })}">New token</a>
                  <a href="${actionLink('operator.revoke', { name })}">Revoke</a>`
              : '',
          ];
        }),
        'No operator was added.',
      )}
      ${pageLinks(partOf(answer), '/console/operators?')}`,
    };
  },
});
