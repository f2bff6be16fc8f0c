import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { RecordedMove } from '#network/moves.js';
import type { NetworkSource, ReadPosition } from '#network/network-source.port.js';
import type { PersonObservation } from '#network/observation.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { connect } from '#sqlite/open-database.js';
import { percentile, processorMs, type Bench, type Measurement } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const PEOPLE = 1_000_000;
const MOVES = 100_000;
const IN_WINDOW = 20_000;
const COMPANIES = 20_000;
const PAGE = 500;
const TURNS = 5;
const WARM_UP = 2;

const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
const SECOND_MS = 1_000;
const window = { after: new Date(FIRST_MS - 1), until: new Date(FIRST_MS + (IN_WINDOW - 1) * SECOND_MS) };

/** Made by SQLite itself: taken in line by line it would take longer than all that is measured. */
function fill(db: DatabaseSyncInstance): void {
  const numbers = (count: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  const position = (company: string, end: string): string =>
    `json_object('title', 'Head of Sales', 'companyRef', ${company}, 'companyName', 'Company', 'startDate', '2024',
      'endDate', ${end}, 'department', 'sales', 'seniority', 'head', 'location', NULL)`;
  const [before, now] = [`'c:' || (i % ${COMPANIES})`, `'c:' || ((i + 1) % ${COMPANIES})`];
  db.exec('PRAGMA synchronous = OFF');
  db.exec(`BEGIN;
    ${numbers(COMPANIES)}
    INSERT INTO observation (kind, ref, rev, body)
    SELECT 'company', 'c:' || i, 1, json_object('kind', 'company', 'ref', 'c:' || i, 'rev', 1, 'handle', 'c-' || i,
      'domains', json_array(), 'name', 'Company ' || i, 'locations', json_array()) FROM n;
    ${numbers(PEOPLE)}
    INSERT INTO observation (kind, ref, rev, body, subject)
    SELECT 'person', 'p:' || i, 2, json_object('kind', 'person', 'ref', 'p:' || i, 'rev', 2, 'handle', 'p-' || i,
      'firstName', 'Person', 'lastName', '' || i, 'headline', 'Head of Sales', 'geo', json_object('city', 'Paris'),
      'experiences', json_array(${position(now, 'NULL')}, ${position(before, "'2026-01'")})), ${now} FROM n;
    ${numbers(MOVES)}
    INSERT INTO move (person, rev, at, to_company, from_company, body)
    SELECT person, 2, at, ${now}, ${before}, json_object('personRef', person, 'rev', 2,
      'observedAt', strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch'), 'from', json(${position(before, 'NULL')}),
      'to', json(${position(now, 'NULL')}), 'alreadyOpen', json_array(), 'lastEnded', NULL,
      'likeFrom', json_array(json(${position(before, "'2026-01'")})))
    FROM (SELECT i, 'p:' || (i * 7919 % ${PEOPLE}) AS person, ${FIRST_MS} + i * ${SECOND_MS} AS at FROM n);
    COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)`);
}

async function byPort(source: NetworkSource): Promise<number> {
  let found = 0;
  for (let position: ReadPosition | null = null; ;) {
    const page = await source.moves({ ...window, position, limit: PAGE });
    found += page.items.filter(({ person, rev }) => person.rev === rev).length;
    if (page.next === null) return found;
    position = page.next;
  }
}

/** The moves with the present revision of their people, by one indexed read. */
function byHand(db: DatabaseSyncInstance): number {
  const rows = db
    .prepare(
      `SELECT move.body AS move, person.body AS person FROM move INDEXED BY move_by_time
       CROSS JOIN observation AS person ON person.kind = 'person' AND person.ref = move.person
       WHERE move.at > ? AND move.at <= ? ORDER BY move.at, move.person, move.rev`,
    )
    .all(window.after.getTime(), window.until.getTime());
  return (rows as readonly { readonly move: string; readonly person: string }[]).filter((row) => {
    const move = JSON.parse(row.move) as RecordedMove;
    const person = JSON.parse(row.person) as PersonObservation;
    return move.personRef === person.ref && move.rev === person.rev;
  }).length;
}

async function moves(): Promise<readonly Measurement[]> {
  const folder = temporaryFolder();
  const path = join(folder.path, 'network.db');
  const store = await openSqliteNetwork({ path, networkBaseUrl: 'https://n.example' });
  const db = connect(path, false);
  try {
    fill(db);
    let [found, foundByHand] = [0, 0];
    const turns: { readonly portMs: number; readonly handMs: number }[] = [];
    for (let turn = 0; turn < TURNS + WARM_UP; turn += 1) {
      const portMs = await processorMs(async () => (found = await byPort(store.source)));
      const handMs = await processorMs(() => (foundByHand = byHand(db)));
      if (turn >= WARM_UP) turns.push({ portMs, handMs });
    }
    const medianOf = (of: (turn: (typeof turns)[number]) => number): number => percentile(turns.map(of), 0.5);
    return [
      {
        what: 'moves: 1,000,000 people, 20,000 moves in the window, with their companies',
        measured: medianOf(({ portMs }) => portMs),
        unit: 'ms of the processor',
        beside: 'one indexed read of moves and people',
        besideValue: medianOf(({ handMs }) => handMs),
        ratio: medianOf(({ portMs, handMs }) => portMs / handMs),
        goal: { atMost: 3 },
        proof: `${found} found, ${foundByHand} by hand`,
      },
    ];
  } finally {
    db.close();
    await store.close();
    folder.remove();
  }
}

export const networkMovesBench: Bench = { name: 'network-moves', run: moves };
