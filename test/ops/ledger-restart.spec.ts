import type { CreditAccount } from '#ledger/domain/account-state.js';
import type { Billing } from '#ledger/domain/books.js';
import { balanceOf } from '#ledger/answers/balance.answer.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { chargeBatch, hold, holdAll, holdOutcomes, type Hold } from '#ledger/domain/hold-credits.js';
import { adjust, grant, setBillingMode } from '#ledger/domain/post-credits.js';
import { toStoredBooks } from '#ledger/domain/stored-books.js';
import { capture, movementOf, release } from '#ledger/domain/settle-credits.js';
import type { Commands } from '#kernel/commands/commands.js';
import { credits } from '#kernel/values/credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import type { SnapshotStore } from '#kernel/ports/snapshot-store.port.js';
import { storedSnapshot } from '#kernel/commands/snapshot.js';
import { creditMovements } from '#projections/ledger/credit-movements/credit-movements.projection.js';
import { snapshotStore } from '#runtime/snapshot-store.js';
import { fieldsOf, operatorOf, sharedLedgerHost } from './ledger-host.js';
import { refusalOf } from '#test/support/event-stores.js';

const WORKSPACE = 1;
const STREAM = 'credits-1';
/** Three grants, of which two expire, two corrections, a charge that a partner pays, then 1,200 charges in commands of 400: snapshots are made on the way. */
const CHARGES = 1_200;

const host = sharedLedgerHost();
const charge = (number: number, movementId = 1_000 + number): Hold => ({
  movementId,
  key: `k${number}`,
  credits: credits(1),
  product: 'p',
  cause: { kind: 'operator' },
});
const options = { context: operatorOf(WORKSPACE) };
const fresh = () => ({ ...options, context: operatorOf(WORKSPACE) });
const opening = { movementId: 1, key: 'opening', credits: credits(10_000), reason: 'contract' };
const welcome = { movementId: 2, credits: credits(5), reason: 'welcome' };
const welcomeTerms = { expiresAt: '2026-01-05T11:00:00.000Z', priority: 50, promotional: false };
/** Four of its six credits are spent, the others expire. */
const bonus = { movementId: 5, credits: credits(6), reason: 'bonus' };
const bonusTerms = { expiresAt: '2026-01-05T13:00:00.000Z', priority: 50, promotional: false };
const id = String(WORKSPACE);
/** A charge of five credits, of which two corrections have given back four. */
const corrected = { ...charge(6_000), credits: credits(5) };
const correction = (movementId: number, amount: number) => ({
  movementId,
  credits: credits(amount),
  reason: 'r',
  corrects: corrected.movementId,
});

beforeAll(async () => {
  await host.openWorkspace(WORKSPACE);
  await host.commands.handle(creditAccount, id, grant(opening), fresh());
  await host.commands.handle(creditAccount, id, grant(welcome, welcomeTerms), fresh());
  await host.commands.handle(creditAccount, id, hold(charge(8_000)), fresh());
  host.setNow('2026-01-05T12:00:00.000Z');
  // Four of its credits have expired; the fifth was on hold, and expires at its release.
  await host.commands.handle(creditAccount, id, release({ key: 'k8000' }), fresh());
  const paidBy = (billing: Billing) =>
    host.commands.handle(creditAccount, id, setBillingMode(billing), fresh());
  await paidBy({ mode: 'partner', partnerId: 7 });
  await host.commands.handle(creditAccount, id, chargeBatch([charge(7_000)]), fresh());
  await paidBy({ mode: 'self' });
  await host.commands.handle(creditAccount, id, chargeBatch([corrected]), fresh());
  await host.commands.handle(creditAccount, id, adjust({ ...correction(3, 2), key: 'refund' }), fresh());
  await host.commands.handle(creditAccount, id, adjust(correction(4, 2)), fresh());
  await host.commands.handle(creditAccount, id, grant(bonus, bonusTerms), fresh());
  const spent = { ...charge(6_001), credits: credits(4) };
  await host.commands.handle(creditAccount, id, chargeBatch([spent]), fresh());
  host.setNow('2026-01-05T14:00:00.000Z');
  for (let first = 0; first < CHARGES; first += 400) {
    const batch = Array.from({ length: 400 }, (_, index) => charge(first + index));
    await host.commands.handle(creditAccount, id, chargeBatch(batch), fresh());
  }
  await host.commands.handle(creditAccount, id, hold(charge(9_000)), fresh());
});

async function refused(work: Promise<unknown>): Promise<{ code: string; fields: readonly string[] }> {
  const refusal = await refusalOf(work);
  return { code: refusal.declaration.code, fields: fieldsOf(refusal) };
}

async function holding(path: Commands, wanted: Hold) {
  const handled = await path.handle(creditAccount, id, hold(wanted), {
    context: operatorOf(WORKSPACE),
    answer: (account) => ({ outcome: holdOutcomes(account, [wanted])[0], balance: balanceOf(account.books) }),
  });
  return { ...handled.answer, appended: handled.appended };
}

const balance = ({ books }: CreditAccount) => balanceOf(books);
const length = async (): Promise<number> => (await host.ledger(WORKSPACE)).length;
/** The workspace whose movements the other one must not find. */
const NEIGHBOUR = 2;
const recordOf = () => host.readStore.getRecord<JsonObject>('snapshot', STREAM);

describe('a ledger after a restart', () => {
  it('continues from its snapshot and has the same sums as one that reads everything', async () => {
    const restarted = await host.anotherCommandPath();
    const whole = await host.anotherCommandPath({ snapshots: nothingKept });
    const sums = ({ books, memory: { forgotten } }: CreditAccount) => ({
      books: toStoredBooks(books),
      forgets: forgotten !== null,
    });
    const [left, right] = [
      await restarted.load(creditAccount, id, sums),
      await whole.load(creditAccount, id, sums),
    ];
    expect(left.books).toEqual(right.books);
    expect(whole.eventsRead()).toBe(await length());
    // The last snapshot, one event of it to prove that it belongs here, and the tail.
    expect(restarted.eventsRead()).toBeLessThan(1_000);
    expect(left.forgets).toBe(true);
    expect(right.forgets).toBe(false);
  });

  it('LED-01 P6 answers a key that it has forgotten with the movement it was used for, and charges nothing', async () => {
    const restarted = await host.anotherCommandPath();
    const { outcome, appended } = await holding(restarted, charge(7, 77_777));
    expect(outcome).toEqual({ key: 'k7', movementId: 1_007, status: 'captured', replayed: true });
    expect(appended).toBe(0);
    expect(restarted.eventsRead()).toBeLessThan(1_000);
  });

  it('LED-02 P6 refuses a forgotten key with another amount or product, naming the field', async () => {
    const restarted = await host.anotherCommandPath();
    const before = await length();
    const dearer = { ...charge(8, 77_777), credits: credits(2) };
    expect(await refused(holding(restarted, dearer))).toEqual({
      code: 'charge-key-taken',
      fields: ['credits'],
    });
    const other = { ...charge(8, 77_777), product: 'q' };
    expect(await refused(holding(restarted, other))).toMatchObject({ fields: ['product'] });
    expect(await length()).toBe(before);
  });

  it('P6 finds the keys of old grants and adjustments, and refuses them for anything else', async () => {
    const path = await host.anotherCommandPath();
    const again = { ...opening, movementId: 88_001 };
    expect((await path.handle(creditAccount, id, grant(again), fresh())).appended).toBe(0);
    const more = grant({ ...again, credits: credits(5) });
    expect(await refused(path.handle(creditAccount, id, more, fresh()))).toEqual({
      code: 'posting-key-taken',
      fields: ['credits'],
    });
    const refund = { ...correction(88_020, 2), key: 'refund' };
    expect((await path.handle(creditAccount, id, adjust(refund), fresh())).appended).toBe(0);
    const other = adjust({ ...refund, credits: credits(1) });
    expect(await refused(path.handle(creditAccount, id, other, fresh()))).toEqual({
      code: 'posting-key-taken',
      fields: ['credits'],
    });
    // The keys of grants are others.
    const refunding = grant({ movementId: 88_021, key: 'refund', credits: credits(1), reason: 'r' });
    expect((await path.handle(creditAccount, id, refunding, fresh())).appended).toBe(1);
    const first = { movementId: 88_002, credits: credits(1), reason: 'r', corrects: 1_003 };
    const adjusted = await path.handle(creditAccount, id, adjust(first), fresh());
    expect(adjusted.appended).toBe(1);
    const strayed = adjust({ ...first, movementId: 88_003, corrects: 999 });
    expect(await refused(path.handle(creditAccount, id, strayed, fresh()))).toMatchObject({
      fields: ['corrects'],
    });
    expect(path.eventsRead()).toBeLessThan(1_000);
  });

  it('LED-10 LOT-06 finds what has expired of a forgotten grant, and takes back only the rest', async () => {
    const path = await host.anotherCommandPath();
    const before = await length();
    const back = { movementId: 88_004, credits: -credits(1), reason: 'r', corrects: welcome.movementId };
    expect(await refused(path.handle(creditAccount, id, adjust(back), fresh()))).toEqual({
      code: 'corrections-exceeded',
      fields: ['credits'],
    });
    expect(await length()).toBe(before);
    const ofBonus = (movementId: number, amount: number) =>
      adjust({ movementId, credits: -credits(amount), reason: 'r', corrects: bonus.movementId });
    expect(await refused(path.handle(creditAccount, id, ofBonus(88_013, 5), fresh()))).toEqual({
      code: 'corrections-exceeded',
      fields: ['credits'],
    });
    expect((await path.handle(creditAccount, id, ofBonus(88_014, 4), fresh())).appended).toBe(1);
    // Nothing of this grant has expired.
    const ofOpening = { movementId: 88_015, credits: -credits(1), reason: 'r', corrects: opening.movementId };
    expect((await path.handle(creditAccount, id, adjust(ofOpening), fresh())).appended).toBe(1);
    expect(path.eventsRead()).toBeLessThan(1_000);
  });

  it('LED-10 finds what was given back of a forgotten charge, and gives back only the rest', async () => {
    const path = await host.anotherCommandPath();
    const before = await length();
    const exceeding = path.handle(creditAccount, id, adjust(correction(88_010, 2)), fresh());
    expect(await refused(exceeding)).toEqual({ code: 'corrections-exceeded', fields: ['credits'] });
    expect(await length()).toBe(before);
    const rest = await path.handle(creditAccount, id, adjust(correction(88_011, 1)), fresh());
    expect(rest.appended).toBe(1);
    for (const other of [path, await host.anotherCommandPath()]) {
      const more = other.handle(creditAccount, id, adjust(correction(88_012, 1)), fresh());
      expect(await refused(more)).toEqual({ code: 'corrections-exceeded', fields: ['credits'] });
      expect(other.eventsRead()).toBeLessThan(1_000);
    }
  });

  it('LED-10 finds that a partner paid a forgotten charge, and gives back nothing of it', async () => {
    const path = await host.anotherCommandPath();
    const before = await length();
    const back = { movementId: 88_005, credits: credits(1), reason: 'r', corrects: 8_000 };
    expect(await refused(path.handle(creditAccount, id, adjust(back), fresh()))).toEqual({
      code: 'corrections-exceeded',
      fields: ['credits'],
    });
    expect(await length()).toBe(before);
    expect(path.eventsRead()).toBeLessThan(1_000);
  });

  it('ISO-01 finds no movement of another workspace: neither by its number nor by its key', async () => {
    const neighbour = String(NEIGHBOUR);
    const asNeighbour = () => ({ context: operatorOf(NEIGHBOUR) });
    await host.openWorkspace(NEIGHBOUR);
    const granted = { movementId: 300_001, key: 'bonus', credits: credits(9), reason: 'contract' };
    const theirs = charge(30_000, 300_002);
    await host.commands.handle(creditAccount, neighbour, grant(granted), asNeighbour());
    await host.commands.handle(creditAccount, neighbour, chargeBatch([theirs]), asNeighbour());
    const path = await host.anotherCommandPath();
    const before = await length();
    for (const movementId of [granted.movementId, theirs.movementId]) {
      const back = { movementId: 88_006, credits: -credits(1), reason: 'r', corrects: movementId };
      expect(await refused(path.handle(creditAccount, id, adjust(back), fresh()))).toMatchObject({
        fields: ['corrects'],
      });
    }
    const end = path.handle(creditAccount, id, capture({ movementId: theirs.movementId }), fresh());
    expect(await refused(end)).toMatchObject({ code: 'movement-not-found' });
    expect(await length()).toBe(before);
    const { outcome } = await holding(path, { ...theirs, movementId: 88_007, credits: credits(2) });
    expect(outcome).toMatchObject({ movementId: 88_007, status: 'held', replayed: false });
    const own = { ...granted, movementId: 88_008, credits: credits(3) };
    expect((await path.handle(creditAccount, id, grant(own), fresh())).appended).toBe(1);
    expect(path.eventsRead()).toBeLessThan(1_000);
  });

  it('OP-71 ends a forgotten movement as before: the same end changes nothing, another is refused, unknown is 404', async () => {
    const path = await host.anotherCommandPath();
    const movement = { movementId: 1_010 };
    const again = await path.handle(creditAccount, id, capture(movement), {
      ...fresh(),
      answer: (account) => movementOf(account, movement).status,
    });
    expect([again.appended, again.answer]).toEqual([0, 'captured']);
    const given = path.handle(creditAccount, id, release({ key: 'k10' }), fresh());
    expect(await refused(given)).toMatchObject({ code: 'movement-closed' });
    const unknown = path.handle(creditAccount, id, capture({ movementId: 5 }), fresh());
    expect(await refused(unknown)).toMatchObject({ code: 'movement-not-found' });
    // Open holds are never forgotten.
    expect((await path.handle(creditAccount, id, release({ key: 'k9000' }), fresh())).appended).toBe(1);
  });

  it('decides a batch of forgotten and new keys like one that remembers everything', async () => {
    const path = await host.anotherCommandPath();
    const wanted = [charge(3, 66_001), charge(9_100, 66_002), charge(4, 66_003), charge(9_101, 66_004)];
    const handled = await path.handle(creditAccount, id, holdAll(wanted), {
      ...fresh(),
      answer: (account) =>
        holdOutcomes(account, wanted).map(({ movementId, replayed }) => [movementId, replayed]),
    });
    expect(handled.appended).toBe(2);
    expect(handled.answer).toEqual([
      [1_003, true],
      [66_002, false],
      [1_004, true],
      [66_004, false],
    ]);
  });
});

/** A stored snapshot that was changed and given a matching checksum. */
function reseal(
  { revision, headId, headHash, lastRecordedAt, state }: JsonObject,
  stateVersion = creditAccount.snapshot?.stateVersion ?? 0,
): JsonObject {
  return storedSnapshot({
    revision: BigInt(String(revision)),
    stateVersion,
    headId: String(headId),
    headHash: String(headHash),
    lastRecordedAt: String(lastRecordedAt),
    state: JSON.parse(JSON.stringify(state)),
  });
}

const nothingKept: SnapshotStore = { read: async () => null, write: async () => undefined };

describe('the proof of the charge-key index', () => {
  it('reads the whole stream when the index cannot answer, and answers the same', async () => {
    const path = await host.anotherCommandPath({ recall: async () => null });
    const { outcome } = await holding(path, charge(7, 77_777));
    expect(outcome).toMatchObject({ movementId: 1_007, replayed: true });
    expect(path.eventsRead()).toBeGreaterThan(await length());
  });

  it('LED-01 does not trust an index that has not seen the forgotten part', async () => {
    // The index says that there is no such key, as of a time before the key.
    const path = await host.anotherCommandPath({
      recall: async (_stream, asked) => ({ position: '0000000000000001', asked, found: new Map() }),
    });
    const { outcome, appended } = await holding(path, charge(7, 77_777));
    expect(outcome).toMatchObject({ movementId: 1_007, replayed: true });
    expect(appended).toBe(0);
  });

  it('refuses with 503, and writes nothing, while the index is parked for the workspace', async () => {
    const { live } = await host.readStore.generations(creditMovements);
    const parked = `credit-movements@${creditMovements.version}.${live}/${WORKSPACE}`;
    await host.readStore.putRecord('parked-workspace', parked, { workspaceId: id });
    const path = await host.anotherCommandPath();
    const before = await length();
    const error: unknown = await holding(path, charge(7, 77_777)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreUnavailable);
    await expect(holding(path, charge(9_200))).rejects.toThrow('credit-movements is parked');
    expect(await length()).toBe(before);
    // Keys that it remembers itself are decided all the same.
    const end = release({ movementId: 66_002 });
    expect((await path.handle(creditAccount, id, end, fresh())).appended).toBe(1);
    await host.readStore.deleteRecord('parked-workspace', parked);
    expect((await holding(path, charge(7, 77_777))).outcome).toMatchObject({ movementId: 1_007 });
  });
});

describe('an invalid snapshot', () => {
  const failing: SnapshotStore = {
    read: () => Promise.reject(new StoreUnavailable('the read store is down')),
    write: () => Promise.reject(new StoreUnavailable('the read store is down')),
  };
  const changed = (change: (stored: JsonObject) => JsonObject): SnapshotStore => ({
    async read(stream) {
      const stored = await snapshotStore(host.readStore).read(stream);
      return stored === null ? null : change(stored);
    },
    write: async () => undefined,
  });
  const cases: readonly (readonly [string, SnapshotStore])[] = [
    ['missing', nothingKept],
    ['of another version', changed((stored) => reseal(stored, 0))],
    ['damaged', changed((stored) => ({ ...stored, lastRecordedAt: '2020-01-01T00:00:00.000Z' }))],
    ['ahead of the end of a restored stream', changed((stored) => reseal({ ...stored, revision: '999999' }))],
    ['of another history', changed((stored) => reseal({ ...stored, headId: 'another' }))],
    ['unreadable although it is sealed', changed((stored) => reseal({ ...stored, state: { grants: 'x' } }))],
    ['in a read store that is down', failing],
  ];
  for (const [what, snapshots] of cases) {
    it(`${what} costs a read of the whole stream and nothing else`, async () => {
      expect(await recordOf()).not.toBeNull();
      const path = await host.anotherCommandPath({ snapshots });
      const right = await host.commands.load(creditAccount, id, balance);
      expect(await path.load(creditAccount, id, balance)).toEqual(right);
      expect(path.eventsRead()).toBeGreaterThanOrEqual(await length());
      const { outcome } = await holding(path, charge(7, 77_777));
      expect(outcome).toMatchObject({ movementId: 1_007, replayed: true });
    });
  }

  it('that cannot be read or written is counted', async () => {
    const path = await host.anotherCommandPath({ snapshots: failing });
    await path.load(creditAccount, id, balance);
    await path.load(creditAccount, id, balance);
    // One read, one write after the long load; both continued without a snapshot.
    expect(path.snapshotFailures()).toBe(2);
  });
});

describe('several processes on one long ledger', () => {
  it('read what the others wrote and never the whole stream again', async () => {
    const paths = await Promise.all([0, 1, 2, 3].map(() => host.anotherCommandPath()));
    const rounds = 25;
    const before = await length();
    await Promise.all(
      paths.map(async (path, process) => {
        for (let round = 0; round < rounds; round += 1) {
          await holding(path, charge(20_000 + process * 100 + round, 200_000 + process * 100 + round));
        }
      }),
    );
    expect(await length()).toBe(before + paths.length * rounds);
    // Each reads the tail at its start, every event of the others, and little else.
    for (const path of paths) expect(path.eventsRead()).toBeLessThan(2_000);
    const balances = await Promise.all(paths.map((path) => path.load(creditAccount, id, balance)));
    expect(new Set(balances.map(({ held }) => held)).size).toBe(1);
  });
});
