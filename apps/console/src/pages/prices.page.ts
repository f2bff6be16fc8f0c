import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html } from '#http/page.js';
import { counted } from '../actions/action.js';
import { numberOf, partOf, rowsOf, shown } from '../answer.js';
import { CONSOLE, PAGE, PAGE_NUMBER, type Desk } from '../desk.js';
import { pageLinks, table } from '../layout.js';

const query = { page: PAGE_NUMBER };
const MOST_ROWS = 100;

@Endpoint({
  ...PAGE,
  route: 'GET /console/prices',
  summary: 'The list prices, and the partners with their rates',
  query,
})
export class PricesPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({ query: { page }, ...asked }: PublicRequest<{ query: typeof query }>) {
    return this.desk.page(asked, async ({ run }) => {
      const [prices, partners] = await Promise.all([
        run('prices.list', { page_size: MOST_ROWS }),
        run('partner.list', { page }),
      ]);
      return {
        title: 'Prices',
        body: html`${table(
            'List prices',
            ['Item', 'Set by', { number: 'Credits' }],
            rowsOf(prices, 'prices').map((price) => [
              shown(price, 'item'),
              shown(price, 'set_by'),
              shown(price, 'credits') === '-' ? 'no price' : shown(price, 'credits'),
            ]),
            'There is no price.',
          )}
          <h2>Partners</h2>
          ${table(
            `${counted(numberOf(partOf(partners), 'total'), 'partner')}; an item without a rate costs the list price`,
            ['Id', 'Partner', { number: 'Pays for' }, 'Rates'],
            rowsOf(partners, 'partners').map((partner) => {
              const rates = partOf(partner, 'rates');
              return [
                shown(partner, 'partner_id'),
                shown(partner, 'name'),
                `${shown(partner, 'workspaces')} workspaces`,
                Object.keys(rates)
                  .map((item) => `${item} ${shown(rates, item)}`)
                  .join(', '),
              ];
            }),
            'There is no partner.',
          )}
          ${pageLinks(partOf(partners), '/console/prices?')}`,
      };
    });
  }
}
