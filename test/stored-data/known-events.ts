import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent } from '#kernel/events/event-codec.js';
import type { Recorded } from '#kernel/events/event.js';
import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { JsonObject } from '#kernel/values/json.js';
import { allEvents } from '#runtime/vocabularies.js';
import { declaredVocabularies, houseRoot } from '#test/house/house.js';
import { journal } from './journal.js';

/** A golden payload as a stored event of workspace 1. */
export type GoldenEvent = {
  /** The name of its file, `CreditsHeld.v1.json`. */
  readonly file: string;
  readonly stored: StoredEvent;
  /** Whether events are written in this version today. */
  readonly isOfToday: boolean;
};

const positionAt = (place: number): string => String(place).padStart(12, '0');

/** The history of an earlier version of the service, in log order. */
export const journalEvents: readonly StoredEvent[] = journal.map((event, place) => ({
  ...event,
  revision: BigInt(event.revision),
  position: positionAt(place),
}));

/** Every golden payload of every event type, in the order of the file names. */
export async function goldenEvents(): Promise<readonly GoldenEvent[]> {
  // A vocabulary may be part of another one of the same folder.
  const goldens = new Map<string, GoldenEvent>();
  for (const { folder, events } of await declaredVocabularies()) {
    const directory = join(houseRoot, folder, 'golden');
    for (const file of existsSync(directory) ? readdirSync(directory) : []) {
      const [type = '', version = ''] = file.split('.');
      const declared = events[type];
      if (declared === undefined) continue;
      const data: JsonObject = JSON.parse(readFileSync(join(directory, file), 'utf8'));
      const schemaVersion = version.slice('v'.length);
      const metadata = { workspaceId: '1', recordedAt: '2026-01-05T10:00:00.000Z', schemaVersion };
      const place = { stream: 'monitoring-1_1', revision: 0n, position: positionAt(0) };
      const stored = { id: 'event-0', type, data, metadata, ...place };
      const isOfToday = Number(schemaVersion) === declared.schemaVersion;
      goldens.set(join(directory, file), { file, stored, isOfToday });
    }
  }
  return [...goldens.values()].toSorted((left, right) => (left.file < right.file ? -1 : 1));
}

/** A stored event of any type, as read models are given it. */
export function decoded(stored: StoredEvent): Recorded<unknown> {
  const event = decodeEvent(allEvents, stored);
  if (event === null) throw new Error(`no vocabulary knows ${stored.type}`);
  return event;
}
