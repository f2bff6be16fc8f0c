import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { credits, formatCredits } from '#kernel/values/credits.js';
import { LedgerModel, type ModelCommand } from '#test/simulation/ledger-model.js';
import { effectOf } from '#test/simulation/money-commands.js';
import { eventsOf } from '#test/support/event-stores.js';
import { expectProblem } from '#test/support/every-route.js';
import type { TestService, TestWorkspace } from '#test/support/service.js';

type Doing = 'grant' | 'hold' | 'capture' | 'release';

/** A posting that a client requested, with its answer; `answer` null: the outcome is unknown. */
type Asked = {
  readonly doing: Doing;
  readonly key: string;
  answer: { readonly movementId: number | null } | null;
};

export type TrafficCounts = {
  readonly acknowledged: number;
  /** Postings without an answer: those that were done all the same, and those that were not. */
  readonly unknownButDone: number;
  readonly unknownAndNotDone: number;
};

/** Clients that charge one ledger without a pause, through services that may fail them only with 503. */
export type LedgerTraffic = {
  readonly acknowledged: () => number;
  readonly refused: () => number;
  /** Lets this many clients work until `stop`. */
  readonly start: (clients: number) => void;
  /** Resolves when everything under way has been answered. */
  readonly stop: () => Promise<void>;
  /** Sends every second unanswered posting again, under its key: now it must be acknowledged. */
  readonly askAgain: () => Promise<number>;
  /** Replays the stored events through the model: each acknowledged posting once, each other one at most once. */
  readonly prove: (events: EventStore) => Promise<TrafficCounts>;
};

const HELD = 3;
const GIFT = 7;
const PRODUCT = 'match';
const COMMANDS: { readonly [doing in Doing]: string } = {
  grant: 'credits.grant',
  hold: 'credits.hold',
  capture: 'credits.capture',
  release: 'credits.release',
};

/** `services` returns the service for the next posting; all of them use the same stores. */
export function ledgerTraffic(services: () => TestService, workspace: TestWorkspace): LedgerTraffic {
  const asked: Asked[] = [];
  const counts = { acknowledged: 0, refused: 0 };
  const working: Promise<void>[] = [];
  let stopping = false;
  let clientCount = 0;

  async function send(posting: Asked): Promise<boolean> {
    const { doing, key } = posting;
    const input = {
      grant: { credits: GIFT, reason: 'gift', grant_key: key },
      hold: { key, credits: HELD, product: PRODUCT },
      capture: { key },
      release: { key },
    }[doing];
    const route = `POST /ops/${COMMANDS[doing]}`;
    const answer = await services().ops(COMMANDS[doing], { workspace_id: workspace.id, ...input });
    if (answer.status === 503) {
      counts.refused += 1;
      expectProblem(route, answer);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      return false;
    }
    expect([route, answer.status, answer.body]).toEqual([route, 200, expect.anything()]);
    // A grant is answered without one.
    posting.answer = { movementId: answer.body.movement_id ?? null };
    counts.acknowledged += 1;
    return true;
  }

  function ask(doing: Doing, key: string): Promise<boolean> {
    const posting: Asked = { doing, key, answer: null };
    asked.push(posting);
    return send(posting);
  }

  async function client(name: number): Promise<void> {
    for (let index = 0; !stopping; index += 1) {
      const key = `traffic-${name}-${index}`;
      if (index % 7 === 0) await ask('grant', key);
      else if (await ask('hold', key)) {
        if (index % 3 === 0) await ask('capture', key);
        if (index % 3 === 1) await ask('release', key);
      }
    }
  }

  return {
    acknowledged: () => counts.acknowledged,
    refused: () => counts.refused,
    start(clients) {
      stopping = false;
      for (let index = 0; index < clients; index += 1) working.push(client((clientCount += 1)));
    },
    async stop() {
      stopping = true;
      await Promise.all(working.splice(0));
    },
    async askAgain() {
      const unanswered = asked.filter(({ answer }, index) => answer === null && index % 2 === 0);
      for (const posting of unanswered)
        expect([posting.key, await send(posting)]).toEqual([posting.key, true]);
      return unanswered.length;
    },
    async prove(events) {
      const stored = await eventsOf(events, `credits-${workspace.id}`);
      const model = new LedgerModel();
      const times = new Map<string, number>();
      const movementIds = new Map<string, number>();
      for (const event of stored) {
        const command = asModelCommand(event);
        if (command === null) continue;
        expect([event.revision, model.run(command)]).toEqual([event.revision, 'done']);
        // The model rejects a second effect under a key, or one of another size.
        expect([event.revision, model.effects]).toEqual([event.revision, [effectOf(event)]]);
        const effect = `${event.type} ${String(event.data['key'])}`;
        times.set(effect, (times.get(effect) ?? 0) + 1);
        if (event.type === 'CreditsHeld' || event.type === 'CreditsGranted')
          movementIds.set(String(event.data['key']), Number(event.data['movementId']));
      }
      const found = { acknowledged: 0, unknownButDone: 0, unknownAndNotDone: 0 };
      const wanted = new Set<string>();
      for (const { doing, key, answer } of asked) {
        const effect = `${TYPES[doing]} ${key}`;
        wanted.add(effect);
        const isDone = times.get(effect) ?? 0;
        if (answer === null) found[isDone > 0 ? 'unknownButDone' : 'unknownAndNotDone'] += 1;
        else {
          found.acknowledged += 1;
          const movementId = answer.movementId ?? movementIds.get(key);
          expect([effect, isDone, movementIds.get(key)]).toEqual([effect, 1, movementId]);
        }
        expect([effect, isDone]).toEqual([effect, Math.min(isDone, 1)]);
      }
      for (const effect of times.keys())
        if (effect.includes(' traffic-')) expect([effect, wanted.has(effect)]).toEqual([effect, true]);
      const { body } = await workspace.call('GET /api/v3/credits/balance');
      expect(body.data).toMatchObject({
        balance: Number(formatCredits(model.of('available'))),
        held: Number(formatCredits(model.of('held'))),
        captured: Number(formatCredits(model.of('consumed'))),
      });
      const verified = await services().ops('ledger.verify', { workspace_id: workspace.id });
      expect(verified.body).toMatchObject({ ok: true, differences: [] });
      return found;
    },
  };
}

const TYPES: { readonly [doing in Doing]: string } = {
  grant: 'CreditsGranted',
  hold: 'CreditsHeld',
  capture: 'CreditsCaptured',
  release: 'CreditsReleased',
};

/** The request that caused this entry; amounts of the traffic are the requested ones. */
function asModelCommand({ type, data }: StoredEvent): ModelCommand | null {
  const key = typeof data['key'] === 'string' ? data['key'] : null;
  const id = Number(data['movementId']);
  const isTraffic = key?.startsWith('traffic-') ?? false;
  const own = BigInt(String(data['credits'] ?? '0'));
  switch (type) {
    case 'CreditsGranted':
      return { do: 'grant', id, key, amount: isTraffic ? credits(GIFT) : own };
    case 'CreditsHeld': {
      const amount = isTraffic ? credits(HELD) : own;
      const product = isTraffic ? PRODUCT : String(data['product']);
      return { do: 'holdAll', holds: [{ id, key: key ?? '', amount, product }] };
    }
    case 'CreditsCaptured':
      return { do: 'settle', capture: [key ?? ''], release: [] };
    case 'CreditsReleased':
      return { do: 'settle', capture: [], release: [key ?? ''] };
    default:
      return null;
  }
}
