import { fromStored, toJsonNumber } from '#kernel/values/credits.js';
import { Day, Type } from '#kernel/values/schema.js';
import { Amount } from '#kernel/values/amounts.js';
import { eachPage } from '#kernel/projections/each-page.js';
import {
  creditDays,
  OLD_HOLDS,
  type CreditDayDocument,
} from '#projections/ledger/credit-days/credit-days.projection.js';
import { described, WorkspaceId } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';

const DayAnswer = Type.Object({
  day: Day,
  granted: Amount,
  taken: Amount,
  expired: Amount,
  held: Amount,
  released: Amount,
  captured: Amount,
  /** What could be spent when the day was over. */
  balance: Amount,
});

export const ledgerDays = operatorCommand({
  name: 'ledger.days',
  forFinance: true,
  summary: 'Show the sums of a ledger by day (UTC) and the balance at the end of each day',
  input: Type.Object({
    workspace_id: WorkspaceId,
    from: Type.Optional(described('first day; default: the first day of the ledger', Day)),
  }),
  output: Type.Object({
    /** The ledger entry up to which the days are summed. */
    revision: Type.Integer({ minimum: -1 }),
    balance: Amount,
    days: Type.Array(DayAnswer),
  }),
  async run(host, { workspace_id: workspaceId, from = '' }) {
    await host.requireWorkspace(workspaceId);
    const found: CreditDayDocument[] = [];
    const sort = [['day', 'asc']] as const;
    const wanted = { where: { workspaceId }, sort, limit: 1_000 };
    for await (const page of eachPage<CreditDayDocument>(host.readModels, creditDays, wanted))
      found.push(...page);
    const old = found.find(({ day }) => day === OLD_HOLDS);
    let balance = 0n;
    const days = found
      .filter(({ day }) => day !== OLD_HOLDS)
      .map(({ day, ...sums }) => {
        const ends = old?.ends?.[day];
        const released = fromStored(sums.released) + fromStored(ends?.released ?? '0');
        const captured = fromStored(sums.captured) + fromStored(ends?.captured ?? '0');
        const granted = fromStored(sums.granted);
        const taken = fromStored(sums.taken);
        const expired = fromStored(sums.expired);
        const held = fromStored(sums.held);
        balance += granted - taken - expired - held + released;
        return {
          day,
          granted: toJsonNumber(granted),
          taken: toJsonNumber(taken),
          expired: toJsonNumber(expired),
          held: toJsonNumber(held),
          released: toJsonNumber(released),
          captured: toJsonNumber(captured),
          balance: toJsonNumber(balance),
        };
      });
    return {
      revision: found.reduce((last, { revision }) => Math.max(last, revision), -1),
      balance: toJsonNumber(balance),
      days: days.filter(({ day }) => day >= from),
    };
  },
});
