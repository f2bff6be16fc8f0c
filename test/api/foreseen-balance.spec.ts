import { observedCompany } from '#test/support/observed-network.js';
import { scene, type SceneWorkspace } from '#test/support/scene.js';
import { pickerOf, seededRandom } from '#test/support/seeded-random.js';

const DAY_MS = 86_400_000;
const DAYS = 35;

type Foreseen = {
  readonly date: string;
  readonly months: number;
  readonly granted: number;
  readonly expires: number;
  readonly balance: number;
};
type Kept = {
  readonly day: string;
  readonly captured: number;
  readonly granted: number;
  readonly expired: number;
  readonly balance: number;
};
const NOTHING = { captured: 0, granted: 0, expired: 0 };

/** A sum of amounts with six decimals. */
const exact = (credits: number): number => Math.round(credits * 1e6) / 1e6;

describe('LOW-02 the forecast of a workspace that uses nothing', () => {
  const companies = ['acme', 'globex', 'initech', 'umbrella'];
  const service = scene({
    at: '2027-12-06T10:00:00.000Z',
    network: companies.map((handle) => observedCompany(handle)),
  });
  const inDays = (days: number): string => service.daysAgo(-days);

  /** Lots, recurring grants and monitored months in any order, over some weeks. */
  async function filled(seed: number): Promise<SceneWorkspace> {
    const random = seededRandom(seed);
    const oneOf = pickerOf(random);
    const perhaps = (terms: object): object => (random() < 0.6 ? terms : {});
    const workspace = await service.workspace({ credits: oneOf([80, 150]) });
    await workspace.persona();
    const list = await workspace.list('customer', companies.slice(0, 2));
    await workspace.monitor(list);
    for (let step = 0; step < 8; step += 1) {
      const reason = `step ${step}`;
      const lot = { credits: oneOf([12, 3, 0.000_001, 40]), priority: oneOf([50, 10, 90]), reason };
      const grant = (): Promise<unknown> =>
        workspace.command('credits.grant', {
          ...lot,
          ...perhaps({ expires_at: inDays(oneOf([0.5, 9, 33])) }),
          promotional: random() < 0.5,
        });
      const rule = (): Promise<unknown> =>
        workspace.command('credits.recurring.add', {
          ...lot,
          credits: oneOf([5, 2.5]),
          every: oneOf(['day', 'week', 'month']),
          from: inDays(oneOf([0, 1, -5])),
          ...perhaps({ expires_after: oneOf(['P1D', 'P2D', 'P1W', 'P1M']) }),
          ...perhaps({ ceiling: oneOf([6, 12]) }),
          ...perhaps({ until: inDays(25) }),
        });
      const pause = (): Promise<unknown> => service.advance(oneOf(['PT90M', 'P1D', 'P5D']));
      await oneOf([grant, grant, rule, pause])();
      await service.drain();
    }
    return workspace;
  }

  it.each([1, 2, 3])('comes true on each day, over month ends and a leap day (%i)', async (seed) => {
    const workspace = await filled(seed);
    const { days, burn, balance } = await workspace.data('GET /api/v3/credits/forecast');
    expect(burn).toBe(0);
    expect(balance).toBe((await workspace.balance()).balance);
    const foreseen: readonly Foreseen[] = days.slice(0, DAYS);
    const today = foreseen[0]?.date ?? '';
    const kept = async (): Promise<ReadonlyMap<string, Kept>> => {
      const { days: rows } = await workspace.command('ledger.days', { from: today });
      return new Map((rows as readonly Kept[]).map((row) => [row.day, row]));
    };
    const before = (await kept()).get(today) ?? NOTHING;
    await service.setClock(new Date(Date.parse(today) + DAYS * DAY_MS - 1).toISOString());
    await service.drain();
    const after = await kept();
    let last = balance;
    const actual = foreseen.map(({ date }) => {
      const day = after.get(date);
      const { captured, granted, expired } = date === today ? before : NOTHING;
      last = day?.balance ?? last;
      return {
        date,
        used: 0,
        months: exact((day?.captured ?? captured) - captured),
        granted: exact((day?.granted ?? granted) - granted),
        expires: exact((day?.expired ?? expired) - expired),
        balance: last,
      };
    });
    // The first uncovered day is foreseen below zero, which no ledger is.
    const covered = foreseen.findIndex((day) => day.balance < 0);
    const compared = covered === -1 ? DAYS : covered;
    expect(compared).toBeGreaterThan(10);
    expect(foreseen.slice(0, compared)).toEqual(actual.slice(0, compared));
    expect(await workspace.command('ledger.verify')).toMatchObject({ ok: true });
    await service.retire(workspace.id);
  });
});
