import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html } from '#http/page.js';
import { idParam } from '#http/parameters.js';
import { numberOf, partOf, rowsOf, shown } from '../answer.js';
import { actionLink } from '../actions/action.js';
import { CONSOLE, type Desk } from '../desk.js';
import { table, workspaceNav } from '../layout.js';

const params = { workspace_id: idParam(404) };
/** A page has no more rows; the holds that have been open longest stand first. */
const MOST_ROWS = 500;

@Endpoint({
  caller: 'public',
  route: 'GET /console/workspaces/:workspace_id/holds',
  summary: 'The open holds, oldest first',
  params,
  html: true,
  otherStatuses: [303, 403, 404, 422],
})
export class HoldsPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({ params: { workspace_id: id }, ...asked }: PublicRequest<undefined, object, typeof params>) {
    return this.desk.page(asked, async ({ run, may, session }) => {
      const workspace = partOf(await run('workspace.show', { workspace_id: id }));
      const answer = await run('ledger.as_of', { workspace_id: id });
      const holds = rowsOf(answer, 'open_holds').toSorted(
        (left, right) => numberOf(left, 'movement_id') - numberOf(right, 'movement_id'),
      );
      const caption = `${holds.length} open holds${holds.length > MOST_ROWS ? `, the oldest ${MOST_ROWS} shown` : ''}`;
      return {
        title: `Holds of ${shown(workspace, 'name')}`,
        body: html`${workspaceNav(session, id, 'holds')}
        ${table(
          caption,
          [
            { name: 'Movement' },
            { name: 'Held since (UTC)' },
            { name: 'Product' },
            { name: 'Held for' },
            { name: 'Credits', isNumber: true },
            { name: 'Action' },
          ],
          holds
            .slice(0, MOST_ROWS)
            .map((hold) => [
              html`<a href="/console/workspaces/${id}/movements/${numberOf(hold, 'movement_id')}"
                >${shown(hold, 'movement_id')}</a
              >`,
              shown(hold, 'created_at'),
              shown(hold, 'product'),
              html`<code>${shown(hold, 'key')}</code>`,
              shown(hold, 'credits'),
              may('credits.release')
                ? html`<a
                    href="${actionLink('credits.release', { workspace_id: id, movement_id: numberOf(hold, 'movement_id') })}"
                    >Release</a
                  >`
                : '',
            ]),
          'Nothing is held.',
        )}`,
      };
    });
  }
}
