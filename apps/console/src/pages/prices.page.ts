import { counted } from '#kernel/values/counted.js';
import { html } from '#http/page.js';
import { cells, numberOf, partOf, rowsOf, shown } from '../answer.js';
import { page } from '../console-endpoints.js';
import { PAGE_NUMBER } from '../desk.js';
import { pageLinks, table } from '../layout.js';

const MOST_ROWS = 100;

export const PricesPage = page({
  route: 'GET /console/prices',
  summary: 'The list prices, and the partners with their rates',
  query: { page: PAGE_NUMBER },
  async show({ run }, { page }) {
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
            ...cells(price, 'item', 'set_by'),
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
              ...cells(partner, 'partner_id', 'name'),
              counted(shown(partner, 'workspaces'), 'workspace'),
              Object.keys(rates)
                .map((item) => `${item} ${shown(rates, item)}`)
                .join(', '),
            ];
          }),
          'There is no partner.',
        )}
        ${pageLinks(partOf(partners), '/console/prices?')}`,
    };
  },
});
