import fc from 'fast-check';
import { creditAccount } from '#ledger/domain/credit-account.js';
import type { CreditEvent, CreditPayloads } from '#ledger/domain/credits.events.js';
import type { MarkRecords } from '#ledger/history/ledger-reader.js';
import type { EventStore, StoredEvent } from '#kernel/ports/event-store.port.js';
import { history } from '#kernel/testing/scenario.js';

type Step = {
  readonly draw: number;
  readonly pick: number;
  readonly micros: number;
  readonly seconds: number;
};

/** Any valid ledger as a store holds it: sealed, with some equal times. */
export const randomLedger = (minLength = 1, maxLength = 60): fc.Arbitrary<readonly StoredEvent[]> =>
  fc
    .array(
      fc.record({
        draw: fc.nat(99),
        pick: fc.nat(),
        micros: fc.integer({ min: 1, max: 30_000_000 }),
        seconds: fc.constantFrom(0, 0, 1, 3_600, 86_400),
      }),
      { minLength, maxLength },
    )
    .map(ledgerOf);

type CreditEnd = CreditPayloads['CreditsCaptured'];

const PRODUCTS = ['keyword_match', 'discovery_custom', '=sum(a1)'];

function ledgerOf(steps: readonly Step[]): readonly StoredEvent[] {
  const open: { readonly own: number; readonly end: CreditEnd }[] = [];
  let free = 0;
  let partner = false;
  let time = Date.parse('2026-01-01T00:00:00.000Z');
  const events = steps.map(
    ({ draw, pick, micros, seconds }, index): CreditEvent & { readonly at: string } => {
      time += seconds * 1_000;
      const at = new Date(time).toISOString();
      const movementId = index + 1;
      const posting = { movementId, reason: `reason ${movementId}` };
      const ended = open[pick % Math.max(open.length, 1)];
      if (draw < 10) {
        partner = !partner;
        const data = partner ? { billing: 'partner' as const, partnerId: 7 } : { billing: 'self' as const };
        return { at, type: 'BillingModeSet', data };
      }
      if (draw < 55 && ended !== undefined) {
        open.splice(open.indexOf(ended), 1);
        const data = ended.end;
        if (draw < 40) return { at, type: 'CreditsCaptured', data };
        free += ended.own;
        return { at, type: 'CreditsReleased', data };
      }
      if (draw < 85 && (partner || free > 0)) {
        const credits = partner ? micros : Math.min(micros, free);
        const own = partner ? 0 : credits;
        free -= own;
        const key = `k${movementId}`;
        const payer = partner ? ('partner:7' as const) : ('workspace' as const);
        // entries of earlier versions and of the current one
        const isBare = pick % 3 === 0;
        const end = { movementId, key, ...(isBare ? {} : { credits: String(credits), payer }) };
        open.push({ own, end });
        const data = {
          movementId,
          key,
          credits: String(credits),
          product: PRODUCTS[pick % PRODUCTS.length] ?? '',
          payer,
          ...(isBare ? {} : { endCarriesAmount: true as const }),
          cause: { kind: pick % 2 === 0 ? ('signal' as const) : ('operator' as const), launchId: 9 },
        };
        return { at, type: 'CreditsHeld', data };
      }
      if (draw < 90 && free > 0) {
        const credits = Math.min(micros, free);
        free -= credits;
        if (draw < 88)
          return { at, type: 'CreditsWithdrawn', data: { ...posting, credits: String(credits) } };
        return { at, type: 'CreditsAdjusted', data: { ...posting, credits: String(-credits), corrects: 1 } };
      }
      free += micros;
      return { at, type: 'CreditsGranted', data: { ...posting, credits: String(micros) } };
    },
  );
  return history(creditAccount, [
    { type: 'BillingModeSet', data: { billing: 'self' }, at: '2026-01-01T00:00:00.000Z' },
    ...events,
  ]);
}

/** A store with the credit stream of workspace 1 that can grow; counts the reads. */
export function storeOf(ledger: readonly StoredEvent[]) {
  const stored = [...ledger];
  const reads = { entries: 0 };
  const eventStore: Pick<EventStore, 'readStream'> = {
    async *readStream(stream, { from, direction = 'forwards', maxCount = Infinity } = {}) {
      if (stream !== 'credits-1') return;
      const wanted =
        direction === 'forwards'
          ? stored.slice(Number(from ?? 0n), Number(from ?? 0n) + maxCount)
          : stored
              .slice(0, Number(from ?? BigInt(stored.length)) + 1)
              .toReversed()
              .slice(0, maxCount);
      reads.entries += wanted.length;
      // In batches, as a store returns them.
      for (let start = 0; start < wanted.length; start += 7) yield wanted.slice(start, start + 7);
    },
  };
  return { eventStore, stored, reads };
}

/** Records in memory, converted to JSON as in a store. */
export function recordsInMemory(): MarkRecords & { readonly all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    async getRecord<T>(kind: string, key: string): Promise<T | null> {
      const text = all.get(`${kind}/${key}`);
      return text === undefined ? null : JSON.parse(text);
    },
    async putRecord(kind, key, value) {
      all.set(`${kind}/${key}`, JSON.stringify(value));
    },
  };
}
