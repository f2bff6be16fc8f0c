import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html } from '#http/page.js';
import { integerQuery } from '#http/parameters.js';
import { numberOf, partOf, rowsOf, shown } from '../answer.js';
import { CONSOLE, type Desk } from '../desk.js';
import { pageLinks, table } from '../layout.js';

const query = { page: integerQuery({ minimum: 1, maximum: 1_000_000, otherwise: 1, invalid: 422 }) };

@Endpoint({
  caller: 'public',
  route: 'GET /console',
  summary: 'The workspaces, with what they can spend',
  query,
  html: true,
  otherStatuses: [303, 403, 422],
})
export class WorkspacesPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({ query: { page }, ...asked }: PublicRequest<undefined, typeof query>) {
    return this.desk.page(asked, async ({ run }) => {
      const answer = await run('workspace.list', { page });
      const rows = rowsOf(answer, 'workspaces').map((row) => [
        shown(row, 'workspace_id'),
        html`<a href="/console/workspaces/${numberOf(row, 'workspace_id')}/ledger">${shown(row, 'name')}</a>`,
        shown(row, 'billing'),
        shown(row, 'blocked'),
        shown(row, 'balance'),
        shown(row, 'held'),
      ]);
      const columns = [
        { name: 'Id' },
        { name: 'Workspace' },
        { name: 'Billing' },
        { name: 'Blocked' },
        { name: 'Balance', isNumber: true },
        { name: 'Held', isNumber: true },
      ] as const;
      const numbers = partOf(answer);
      const caption = `${shown(numbers, 'total')} workspaces`;
      return {
        title: 'Workspaces',
        body: html`${table(caption, columns, rows, 'There is no workspace on this page.')}
        ${pageLinks(numbers, '/console?')}`,
      };
    });
  }
}
