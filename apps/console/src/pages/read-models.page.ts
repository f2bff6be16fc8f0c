import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html } from '#http/page.js';
import { numberOf, rowsOf, shown } from '../answer.js';
import { CONSOLE, type Desk } from '../desk.js';
import { table } from '../layout.js';

@Endpoint({
  caller: 'public',
  route: 'GET /console/read-models',
  summary: 'How far each read model is, and what stands in its way',
  html: true,
  otherStatuses: [303, 403, 422],
})
export class ReadModelsPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle(asked: PublicRequest) {
    return this.desk.page(asked, async ({ run }) => {
      const models = rowsOf(await run('projections.status', {}), 'projections');
      const halted = models.filter(
        (model) => shown(model, 'halted') !== '-' || numberOf(model, 'parked') > 0,
      );
      return {
        title: 'Read models',
        body: html`<p>
            ${
              halted.length === 0
                ? 'Every read model follows the log.'
                : `${halted.length} read models are halted or have parked events.`
            }
          </p>
          ${table(
            `${models.length} read models`,
            [
              { name: 'Read model' },
              { name: 'Version', isNumber: true },
              { name: 'Lag (s)', isNumber: true },
              { name: 'Applied', isNumber: true },
              { name: 'Parked', isNumber: true },
              { name: 'Halted' },
              { name: 'Checkpoint' },
            ],
            models.map((model) => [
              shown(model, 'name'),
              shown(model, 'version'),
              shown(model, 'lag_seconds'),
              shown(model, 'applied'),
              shown(model, 'parked'),
              shown(model, 'halted'),
              html`<code>${shown(model, 'checkpoint')}</code>`,
            ]),
            'There is no read model.',
          )}
          <p>
            <code>projections rebuild</code>, <code>projections verify</code> and
            <code>projections retry</code> of the command line act on them.
          </p>`,
      };
    });
  }
}
