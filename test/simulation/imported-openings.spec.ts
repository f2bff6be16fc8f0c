import { createHash } from 'node:crypto';
import { createCommands, type Commands } from '#kernel/commands/commands.js';
import { createIds } from '#kernel/commands/ids.js';
import { streamName, type CommandContext } from '#kernel/commands/decider.js';
import { Refusal } from '#kernel/values/refusal.js';
import { holdCharges } from '#ledger/charging/charges.js';
import { findPaid, loadPaidOpening, paidElsewhere } from '#ledger/charging/paid-elsewhere.js';
import { readOpeningFile, type OpeningFile } from '#ledger/commands/opening-file.js';
import { commitImport, planImport, type ImportHost } from '#ledger/commands/opening-import.js';
import { available } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { reverseOpening } from '#ledger/domain/import-opening.js';
import { grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { ledgerReader } from '#ledger/history/ledger-reader.js';
import { verifyLedger } from '#ledger/history/verify.js';
import { recordsInMemory } from '../finance/random-ledger.js';
import { openingFile } from '../support/opening-files.js';
import { killedAt } from '../support/killed-points.js';
import { mortal, untilDeath, type Life } from '../support/mortal.js';
import { EventLog, memoryEventStore, type Carrier } from './memory-event-store.js';
import { Random } from './random.js';

const RUNS = Number(process.env['SIMULATION_RUNS'] ?? 40);
const NOW = new Date('2026-01-05T10:00:00.000Z');
const CLOCK = { now: () => NOW };
const LEDGER = streamName(creditAccount, '1');

/** More subjects than fit in one stream. */
const lines = (name: string, count: number) => [
  { kind: 'lot', id: 'all', credits: 40 },
  { kind: 'lot', id: 'gift', credits: 5, expires_at: '2026-03-01' },
  ...Array.from({ length: count }, (_, index) => ({ kind: 'paid', subject: `post:${name}${index}` })),
];

async function readFile(text: string): Promise<OpeningFile> {
  async function* chunks() {
    yield Buffer.from(text);
  }
  return readOpeningFile(chunks(), { isSubject: () => true, forms: '' }, () => undefined);
}

/** A process on the log: its own command path. */
function processOn(log: EventLog, carrier?: Carrier, life?: Life): ImportHost {
  const plain = memoryEventStore(log, carrier);
  const eventStore = life === undefined ? plain : mortal(plain, life, ['readStream', 'readAll', 'subscribe']);
  const progress = { reached: async () => true, reachedAll: async () => true };
  const commands: Commands = createCommands({ eventStore, clock: CLOCK, progress });
  return {
    commands,
    ids: createIds(eventStore, CLOCK),
    eventStore,
    clock: CLOCK,
    ledgers: ledgerReader(eventStore, recordsInMemory()),
    hasCapScope: async () => true,
    requireWorkspace: async () => undefined,
    // No read model is read here.
    get readModels(): never {
      throw new Error('an import reads no model');
    },
  };
}

let commandIds = 0;
const contextOf = (): CommandContext => ({
  commandId: `c${(commandIds += 1)}`,
  actor: { kind: 'operator', id: 'test' },
  workspaceId: 1,
  correlationId: '',
});
const options = () => ({ context: contextOf() });

async function openedLog(): Promise<EventLog> {
  const log = new EventLog();
  await processOn(log).commands.handle(creditAccount, '1', setBillingMode({ mode: 'self' }), options());
  return log;
}

async function importInto(host: ImportHost, file: OpeningFile): Promise<void> {
  await commitImport(host, await planImport(host, 1, file, 'opening'), contextOf(), () => undefined);
}

const openings = (log: EventLog) => log.stream(LEDGER).filter(({ type }) => type === 'OpeningImported');

describe('an import that is killed at every point', () => {
  it('IMP-01 leaves nothing partially visible, and the same file continues where it stopped', async () => {
    const file = await readFile(openingFile(lines('a', 1_200)));
    const subjects = file.paid.map(({ subject }) => subject);
    const all = [subjects.length, 45_000_000n];
    const seenIn = async (log: EventLog): Promise<readonly [paid: number, balance: bigint]> => {
      const other = processOn(log);
      const paid = await paidElsewhere(other, 1, subjects, {});
      return [paid.size, await other.commands.load(creditAccount, '1', ({ books }) => available(books))];
    };
    const isThereAfterDeath = await killedAt({
      begin: openedLog,
      workUntil: (log, fatalPoint) =>
        untilDeath(fatalPoint, (life) => importInto(processOn(log, undefined, life), file)),
      async finish(log) {
        // Another process sees all of it or nothing.
        const isThere = openings(log).length === 1;
        expect(await seenIn(log)).toEqual(isThere ? all : [0, 0n]);
        await importInto(processOn(log), file);
        return isThere;
      },
      async check(log) {
        await importInto(processOn(log), file);
        expect(openings(log)).toHaveLength(1);
        expect(await seenIn(log)).toEqual(all);
        const staged = log.all.filter(({ type }) => type === 'PaidSubjectsStaged');
        expect(new Set(staged.map(({ stream }) => stream)).size).toBe(staged.length);
        expect(await verifyLedger([log.stream(LEDGER)], null)).toMatchObject({ ok: true });
      },
    });
    expect(isThereAfterDeath.filter((isThere) => !isThere).length).toBeGreaterThan(10);
    expect(isThereAfterDeath).toContain(true);
  }, 120_000);
});

describe('imports, grants and charges at the same moment', () => {
  /** A carrier on which every request and answer takes some turns of the event loop. */
  const slowly =
    (random: Random): Carrier =>
    async (_kind, operation) => {
      const wait = async (): Promise<void> => {
        for (let turns = random.below(6); turns > 0; turns -= 1) await new Promise(setImmediate);
      };
      await wait();
      const result = operation();
      await wait();
      return result;
    };

  it('P28 P29 at most one import succeeds, as the first movement, and nothing that it names is charged after it', async () => {
    const files = await Promise.all(['a', 'b'].map((name) => readFile(openingFile(lines(name, 700)))));
    const outcomes = { imported: 0, granted: 0, reversed: 0, charged: 0, free: 0 };
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const random = new Random(seed);
      const log = await openedLog();
      const newProcess = (): ImportHost => processOn(log, slowly(random));
      const hosts = [newProcess(), newProcess(), newProcess()];
      const anyHost = (): ImportHost => random.oneOf(hosts);
      const attempts: (() => Promise<unknown>)[] = [];
      for (const file of [...files, ...files])
        if (random.happens(0.7)) attempts.push(() => importInto(anyHost(), file));
      if (random.happens(0.3)) attempts.push(() => grantTo(anyHost()));
      if (random.happens(0.3)) attempts.push(() => reverse(anyHost()));
      for (let launch = 0; launch < 6; launch += 1) attempts.push(() => charge(anyHost(), launch));
      const inOrder = attempts
        .map((attempt) => ({ attempt, place: random.next() }))
        .toSorted((one, other) => one.place - other.place);
      const delayed = inOrder.map(async ({ attempt }, index) => {
        for (let turns = random.below(20 * index + 1); turns > 0; turns -= 1) await new Promise(setImmediate);
        return attempt();
      });
      for (const outcome of await Promise.allSettled(delayed))
        if (outcome.status === 'rejected' && !(outcome.reason instanceof Refusal)) throw outcome.reason;
      await prove(log, outcomes);
    }
    // Each outcome occurs.
    expect(Object.entries(outcomes).filter(([, count]) => count === 0)).toEqual([]);
  }, 240_000);

  async function grantTo({ commands, ids }: ImportHost): Promise<void> {
    const movementId = await ids.next('movement');
    const decision = grant({ movementId, credits: 20_000_000n, reason: 'contract' });
    await commands.handle(creditAccount, '1', decision, options());
  }

  async function reverse({ commands, ids }: ImportHost): Promise<void> {
    await commands.handle(creditAccount, '1', reverseOpening(await ids.next('movement'), 'wrong'), options());
  }

  /** Holds for subjects in either file, and for one in none. */
  async function charge(host: ImportHost, launch: number): Promise<void> {
    const wanted = [`post:a${launch}`, `post:b${launch}`, `post:c${launch}`].map((subject) => ({
      key: `launch:${launch}:${subject}`,
      subjects: [subject],
      credits: 1_000_000n,
      product: 'keyword_match',
      cause: { kind: 'signal' as const, launchId: launch + 1, subject },
    }));
    await holdCharges(host, { workspaceId: 1, context: contextOf }, 'hold', wanted, 'prefix');
  }

  async function prove(log: EventLog, outcomes: Record<string, number>): Promise<void> {
    const ledger = log.stream(LEDGER);
    expect(await verifyLedger([ledger], null)).toMatchObject({ ok: true, differences: [] });
    let current: string | null = null;
    let hasMovements = false;
    for (const { type, data } of ledger) {
      switch (type) {
        case 'OpeningImported': {
          expect([current, hasMovements]).toEqual([null, false]);
          const { hash } = data['source'] as { hash: string };
          current = hash;
          count(outcomes, 'imported');
          break;
        }
        case 'OpeningReversed':
          current = null;
          count(outcomes, 'reversed');
          break;
        case 'CreditsGranted':
          hasMovements = true;
          count(outcomes, 'granted');
          break;
        case 'CreditsHeld': {
          const { subject } = data['cause'] as { subject: string };
          expect(await isNamed(log, current, subject)).toBe(false);
          hasMovements = true;
          count(outcomes, 'charged');
          break;
        }
      }
    }
    if (current !== null) count(outcomes, 'free');
  }

  const count = (outcomes: Record<string, number>, what: string): void => {
    outcomes[what] = (outcomes[what] ?? 0) + 1;
  };

  /** Whether the file of the opening names the subject: searched in all of its streams. */
  async function isNamed(log: EventLog, hash: string | null, subject: string): Promise<boolean> {
    if (hash === null) return false;
    return log.all.some(
      ({ stream, type, data }) =>
        type === 'PaidSubjectsStaged' &&
        stream.includes(hash.slice(0, 32)) &&
        (data['subjects'] as { subject: string }[]).some((each) => each.subject === subject),
    );
  }
});

describe('the file of an opening', () => {
  it('IMP-01 is identified by its bytes', async () => {
    const text = openingFile(lines('a', 3));
    const file = await readFile(text);
    expect(file.hash).toBe(createHash('sha256').update(text).digest('hex'));
    const log = await openedLog();
    const host = processOn(log);
    await importInto(host, file);
    const opening = await loadPaidOpening(host, 1);
    if (opening === null) throw new Error('there is an opening');
    expect(await findPaid(host, 1, opening, ['post:a1', 'post:z'])).toEqual([{ subject: 'post:a1' }]);
  });
});
