import { randomUUID } from 'node:crypto';
import { sealEntry } from '#ledger/domain/seal.js';
import type { EventStore, NewEvent } from '#kernel/ports/event-store.port.js';

const AT_ONCE = 500;
const PRODUCTS = ['keyword_match', 'discovery_essential', 'discovery_standard'];
const START = Date.parse('2026-01-01T00:00:00.000Z');
/** Movements a minute, so that a period of a ledger can be named. */
const A_MINUTE = 100;

/** Recording time of a movement; a capture has that of its hold. */
export const timeOf = (movement: number): string =>
  new Date(START + Math.floor((movement / A_MINUTE) * 60_000)).toISOString();

/**
 * Writes a sealed ledger of this many movements, each held and captured at 1 credit, after a billing mode and one
 * grant: 2 + 2 × movements entries. Ids of movements begin after `idsBefore`.
 */
export async function writeLedger(
  events: EventStore,
  workspaceId: number,
  movements: number,
  idsBefore = 0,
  recordedAt: (movement: number) => string = timeOf,
): Promise<void> {
  const stream = `credits-${workspaceId}`;
  let expected: bigint | 'no-stream' = 'no-stream';
  let place = 0n;
  let hash = '';
  const sealed = (type: string, data: NewEvent['data'], at: string): NewEvent => {
    const metadata = {
      workspaceId: String(workspaceId),
      actorKind: 'process',
      actorId: 'bench',
      commandId: `run:${place}`,
      correlationId: 'bench',
      recordedAt: at,
      schemaVersion: '1',
    };
    hash = sealEntry(hash, { type, data, metadata, revision: place });
    place += 1n;
    return { id: randomUUID(), type, data, metadata: { ...metadata, hash } };
  };
  let batch = [
    sealed('BillingModeSet', { billing: 'self' }, recordedAt(0)),
    sealed(
      'CreditsGranted',
      { movementId: idsBefore + 1, credits: `${movements}000000`, reason: 'bench' },
      recordedAt(0),
    ),
  ];
  for (let movement = 0; movement < movements; movement += 1) {
    const movementId = idsBefore + movement + 2;
    const key = `launch:${Math.floor(movement / 50)}:post:${movement}`;
    const cause = { kind: 'signal', launchId: 1, runId: 1, setupId: 1, subject: `post:${movement}` };
    const product = PRODUCTS[movement % PRODUCTS.length] ?? '';
    const held = { movementId, key, credits: '1000000', product, payer: 'workspace', cause };
    const at = recordedAt(movement);
    batch.push(sealed('CreditsHeld', held, at), sealed('CreditsCaptured', { movementId, key }, at));
    if (batch.length < AT_ONCE && movement < movements - 1) continue;
    expected = (await events.append(stream, expected, batch)).revision;
    batch = [];
  }
}
