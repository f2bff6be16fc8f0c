import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { pickerOf, seededRandom } from '#test/support/seeded-random.js';

const STEPS = 50;

type Row = {
  readonly revision: number;
  readonly at: string;
  readonly kind: string;
  readonly credits: number;
  readonly spend: number;
  readonly balance: number;
  readonly payer: string;
};
type Charge = { readonly status: string; readonly product: string; readonly credits: number };
type Statement = {
  readonly opening: number;
  readonly closing: number;
  readonly revision: number;
  readonly rows: readonly Row[];
  readonly totals: { readonly by_product: { readonly [product: string]: number } };
};

const micros = (credits: number): bigint => BigInt(Math.round(credits * 1e6));
const sum = <Item>(items: readonly Item[], amountOf: (item: Item) => number): bigint =>
  items.reduce((total, item) => total + micros(amountOf(item)), 0n);

describe('P12 OP-22 USE-15 the answers about the money of one workspace', () => {
  const service = scene({ at: '2028-02-26T21:40:00.000Z' });

  /** Postings, holds, their ends, caps, payers and recurring grants in any order, over some weeks. */
  async function filled(workspace: SceneWorkspace, seed: number, partner_id: number): Promise<void> {
    const random = seededRandom(seed);
    const oneOf = pickerOf(random);
    const amount = (): string => oneOf(['10', '0.000001', '2.5', '7.333333', '25', '49.999999']);
    const ask = (command: string, input: object): Promise<unknown> =>
      service.ops(command, { workspace_id: workspace.id, ...input });
    const end = (): string => service.daysAgo(-oneOf([0.1, 1, 1.5, 3, 12]));
    const lot = (): object => ({ expires_at: end(), priority: oneOf([50, 10]), promotional: random() < 0.5 });
    let step = 0;
    const posting = (): object => ({ credits: amount(), reason: `step ${step}` });
    const held: string[] = [];
    const hold = (): Promise<unknown> => {
      const key = `charge ${step}`;
      held.push(key);
      return ask('credits.hold', { key, credits: amount(), product: oneOf(['a', 'b']) });
    };
    const endHold = (command: string) => (): Promise<unknown> =>
      ask(command, { key: held.shift() ?? 'none' });
    const kinds: readonly (() => Promise<unknown>)[] = [
      () => ask('credits.grant', posting()),
      () => ask('credits.grant', { ...posting(), ...lot() }),
      () => ask('credits.withdraw', posting()),
      () => ask('credits.adjust', { ...posting(), ...lot() }),
      () => ask('credits.adjust', { ...posting(), credits: `-${amount()}` }),
      hold,
      hold,
      hold,
      endHold('credits.capture'),
      endHold('credits.capture'),
      endHold('credits.release'),
      () => ask('caps.set', { scope: 'workspace', period: oneOf(['day', 'week', 'month']), limit: 200 }),
      () => ask('workspace.billing', oneOf([{ billing: 'self' }, { billing: 'partner', partner_id }])),
      () => ask('credits.recurring.add', { ...posting(), every: 'day', expires_after: 'P2D', until: end() }),
      () => service.advance(oneOf(['PT1M', 'PT5H', 'P1D', 'P2D'])),
      () => service.advance('PT3H'),
    ];
    for (step = 1; step <= STEPS; step += 1) {
      await oneOf(kinds)();
      await service.drain();
    }
  }

  /** A cut of the ledger at a time at which an entry was recorded, or a moment later. */
  const cutsOf = (rows: readonly Row[]): readonly string[] => {
    const times = [5, 2, 1.3].map((part) => Date.parse(rows[Math.floor(rows.length / part)]?.at ?? ''));
    return times.map((time, index) => new Date(time + (index === 1 ? 1 : 0)).toISOString()).sort();
  };

  it.each([1, 2, 3, 4])('add up to the last micro-credit, wherever they are cut (%i)', async (seed) => {
    const workspace = await service.workspace({ credits: 60 });
    const { partner_id } = await service.command('partner.create', { name: 'Partner' });
    await filled(workspace, seed, partner_id);
    const whole: Statement = await workspace.command('ledger.statement');
    const { rows } = whole;
    expect(rows.length).toBeGreaterThan(15);

    const { balance, held, captured, granted, expired } = await workspace.balance();
    const own = rows.filter(({ payer }) => payer === 'workspace');
    const changeOf = (kinds: readonly string[]): bigint =>
      sum(
        own.filter(({ kind }) => kinds.includes(kind)),
        ({ credits }) => credits,
      );
    expect(whole.closing).toBe(balance);
    expect(sum(rows, ({ credits }) => credits)).toBe(micros(balance));
    expect(-changeOf(['hold', 'release'])).toBe(micros(held) + micros(captured));
    expect(changeOf(['grant', 'withdrawal', 'adjustment', 'expiry'])).toBe(micros(granted));
    expect(-changeOf(['expiry'])).toBe(micros(expired ?? 0));
    expect(sum(own, ({ spend }) => spend)).toBe(micros(captured));

    const cuts = cutsOf(rows);
    const bounds = [undefined, ...cuts, undefined];
    const parts: Statement[] = [];
    let lines = 0;
    for (const [index, to] of bounds.slice(1).entries()) {
      const range = { from: bounds[index], to };
      const part: Statement = await workspace.command('ledger.statement', range);
      const csv: string = await workspace.command('ledger.export', { format: 'csv', ...range });
      lines += csv.split('\r\n').filter((line) => /^[a-z]+,[^,]+,\d/.test(line)).length;
      if (parts.length > 0) expect(part.opening).toBe(parts.at(-1)?.closing);
      parts.push(part);
      if (to === undefined) continue;
      const asOf = await workspace.command('ledger.as_of', { at: to });
      expect(asOf.balance.balance).toBe(part.closing);
    }
    expect(parts.flatMap((part) => part.rows)).toEqual(rows);
    expect(lines).toBe(rows.length);

    const usage: readonly Charge[] = await workspace.movements();
    const spentOn = (product: string): bigint =>
      sum(
        usage.filter((charge) => charge.product === product && charge.status === 'captured'),
        ({ credits }) => credits,
      );
    for (const product of ['a', 'b'])
      expect(micros(whole.totals.by_product[product] ?? 0)).toBe(spentOn(product));
    const open = await workspace.command('hold.list');
    expect(micros(open.credits)).toBe(
      sum(
        usage.filter(({ status }) => status === 'held'),
        ({ credits }) => credits,
      ),
    );

    for (const by of ['day', 'week', 'month']) {
      const kept = await workspace.command('ledger.days', { by });
      const of = (name: string): bigint =>
        sum(kept.days as readonly { readonly [name: string]: number }[], (day) => day[name] ?? NaN);
      expect(kept.balance).toBe(balance);
      expect(of('captured')).toBe(micros(captured));
      expect(of('held') - of('released')).toBe(micros(held) + micros(captured));
      expect(of('granted') - of('taken') - of('expired')).toBe(micros(granted));
    }
    expect(await workspace.command('ledger.verify')).toMatchObject({ ok: true, movements: usage.length });
    await service.retire(workspace.id);
  });
});
