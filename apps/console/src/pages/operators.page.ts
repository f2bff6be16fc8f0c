import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html } from '#http/page.js';
import { actionLink, counted } from '../actions/action.js';
import { numberOf, partOf, rowsOf, shown } from '../answer.js';
import { CONSOLE, PAGE, PAGE_NUMBER, type Desk } from '../desk.js';
import { actionLinks, pageLinks, table } from '../layout.js';
import { moment } from '../parts.js';

const query = { page: PAGE_NUMBER };

@Endpoint({
  ...PAGE,
  route: 'GET /console/operators',
  summary: 'The operators, with their roles',
  query,
})
export class OperatorsPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({ query: { page }, ...asked }: PublicRequest<{ query: typeof query }>) {
    return this.desk.page(asked, async ({ run, may }) => {
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
    });
  }
}
