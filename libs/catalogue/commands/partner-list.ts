import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Id, Type } from '#kernel/values/schema.js';
import { AmountsByName } from '#kernel/values/amounts.js';
import { partners } from '#projections/catalogue/partners/partners.projection.js';
import { workspaces } from '#projections/access/workspaces/workspaces.projection.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { PageAnswer, pageInput, readPage } from '#ops/support/pages.js';

const PartnerRow = Type.Object({
  partner_id: Id,
  name: Type.String(),
  /** Workspaces that it pays for now. */
  workspaces: Type.Integer({ minimum: 0 }),
  /** By item; other items have the list price. */
  rates: AmountsByName,
});

export const partnerList = operatorCommand({
  name: 'partner.list',
  forFinance: true,
  summary: 'List the partners with their rates and the number of workspaces that each pays for',
  input: Type.Object(pageInput),
  output: Type.Object({ ...PageAnswer, partners: Type.Array(PartnerRow) }),
  async run({ readModels }, asked) {
    const wanted = { sort: [['id', 'asc']] as const };
    const { rows, numbers } = await readPage(readModels, partners, wanted, asked);
    const paidFor = await Promise.all(
      rows.map(({ id }) => readModels.count(workspaces, { where: { partnerId: id } })),
    );
    return {
      ...numbers,
      partners: rows.map(({ id, name, rates }, index) => ({
        partner_id: id,
        name,
        workspaces: paidFor[index] ?? 0,
        rates: Object.fromEntries(
          Object.entries(rates).map(([item, credits]) => [item, toJsonNumber(fromStored(credits))]),
        ),
      })),
    };
  },
});
