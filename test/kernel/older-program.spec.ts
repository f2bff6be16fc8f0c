import { createCommands, type Commands } from '#kernel/commands/commands.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { UnreadableEvent } from '#kernel/events/event-codec.js';
import { systemClock } from '#kernel/ports/clock.js';
import { credits } from '#kernel/values/credits.js';
import { available } from '#ledger/domain/books.js';
import { creditAccount, type CreditDecision } from '#ledger/domain/credit-account.js';
import { hold } from '#ledger/domain/hold-credits.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { addCap } from '#ledger/domain/set-caps.js';
import { agent, type AgentDecision } from '#signals/domain/agents/agent.js';
import { changeAgent } from '#signals/domain/agents/change-agent.js';
import { createAgent } from '#signals/domain/agents/create-agent.js';
import { eventsOf } from '../support/event-stores.js';
import { sharedSqliteEventStores } from '../support/sqlite-event-stores.js';
import { contextOf } from './tally.js';

const AT_ONCE = 20;

/** An aggregate in a program older than these events. */
function before<Aggregate extends { readonly vocabulary: object }>(
  aggregate: Aggregate,
  ...types: readonly string[]
): Aggregate {
  const vocabulary: Aggregate['vocabulary'] = Object.assign({}, aggregate.vocabulary);
  for (const type of types)
    if (!Reflect.has(vocabulary, type) || !Reflect.deleteProperty(vocabulary, type))
      throw new Error(`there is no ${type}`);
  return { ...aggregate, vocabulary };
}

describe('an older program beside a newer one on the same log', () => {
  const files = sharedSqliteEventStores();
  let newer: Commands;
  let older: Commands;
  beforeAll(async () => {
    const opened = async (): Promise<Commands> => {
      const progress = { reached: async () => true };
      return createCommands({ eventStore: await files.open(), clock: systemClock, progress });
    };
    [newer, older] = [await opened(), await opened()];
  });

  const optionsOf = (workspaceId: number) => ({
    context: { ...contextOf(), workspaceId },
  });
  const spends = (movementId: number, amount: number): CreditDecision =>
    hold({
      movementId,
      key: `key-${movementId}`,
      credits: credits(amount),
      product: 'match',
      cause: { kind: 'operator' },
    });

  it.each([
    [
      'LOT-04 stops at a grant with terms and spends nothing of it',
      1,
      'LotGranted',
      grant(
        { movementId: 2, credits: credits(1_000), reason: 'gift' },
        { expiresAt: '2100-01-01T00:00:00.000Z', priority: 50, promotional: false },
      ),
    ],
    [
      'CAP-01 stops at a cap and spends nothing beyond it',
      2,
      'CapSet',
      addCap(
        { capId: 1, scope: 'workspace', scopeId: null, period: 'month', limit: credits(30) },
        'operator',
      ),
    ],
  ] as const)('%s', async (_, workspaceId, type, decision) => {
    const known = before(creditAccount, type);
    const id = String(workspaceId);
    const decided = (wanted: CreditDecision) =>
      newer.handle(creditAccount, id, wanted, optionsOf(workspaceId));
    const olderSpends = (movementId: number, amount: number) =>
      older.handle(known, id, spends(movementId, amount), optionsOf(workspaceId));
    await decided(setBillingMode({ mode: 'self' }));
    await decided(grant({ movementId: 1, credits: credits(100), reason: 'paid' }));
    await olderSpends(10, 5);
    await decided(decision);
    const store = await files.open();
    const events = (await eventsOf(store, `credits-${id}`)).length;
    // It has the earlier ledger in memory; each append meets an event that it cannot read.
    const outcomes = await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (__, at) => olderSpends(100 + at, 5)),
    );
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason)).toEqual(
      outcomes.map(() => expect.any(UnreadableEvent)),
    );
    expect(await eventsOf(store, `credits-${id}`)).toHaveLength(events);
    // The newer program continues with all of it.
    await decided(spends(200, 20));
    const free = await newer.load(creditAccount, id, ({ books }) => available(books));
    expect(free).toBe(credits(type === 'LotGranted' ? 1_075 : 75));
  });

  it('QUO-02 stops at the limit of a schedule and launches nothing beyond it', async () => {
    const known = before(agent, 'ScheduleLimitSet');
    const id = workspaceScoped(3, 7);
    const now = '2026-01-05T10:00:00.000Z';
    const decided = (wanted: AgentDecision) => newer.handle(agent, id, wanted, optionsOf(3));
    await decided(
      createAgent({
        agentId: 7,
        type: 'keyword_post_search',
        name: 'x',
        parameters: { tracking_keywords: ['crm'] },
        schedule: { anchorAt: now },
      }),
    );
    const enabled = () => older.load(known, id, (state) => state.enabled);
    expect(await enabled()).toBe(true);
    await decided(
      changeAgent({
        agentId: 7,
        patch: { schedule: { maxCredits: credits(20) } },
        shapeFaults: new Map(),
        list: null,
        personaTitles: [],
        priceOf: () => credits(10),
        now,
      }),
    );
    await expect(enabled()).rejects.toThrow(UnreadableEvent);
  });
});
