import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { NetworkSource, ObservedInteraction, Position } from '#network/network-source.port.js';
import type { CommentObservation, PersonObservation, PostObservation } from '#network/observation.js';
import { openSqliteNetwork } from '#network/sqlite/open-sqlite-network.js';
import { connect } from '#sqlite/open-database.js';
import { medianMs, type Bench, type Measurement } from './bench.js';
import { temporaryFolder } from './temporary-folder.js';

const COMPANIES = 1_000;
const PEOPLE_OF_EACH = 50;
const LISTED_PEOPLE = COMPANIES * PEOPLE_OF_EACH;
const OTHER_PEOPLE = 50_000;
const LISTED_POSTS = 10_000;
const OTHER_POSTS = 90_000;
const OF_EACH_KIND = 1_000_000;
/** Comments, and as many reactions, on posts of listed people. */
const FOUND_OF_EACH_KIND = 500;
const PAGE = 100;
const TURNS = 5;

const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
const window = { after: new Date(FIRST_MS - 1), until: new Date(FIRST_MS + 90 * 86_400_000) };
const companyRefs = Array.from({ length: COMPANIES }, (_, index) => `c:${index}`);

/** Made by SQLite itself: taken in line by line it would take longer than all that is measured. */
function fill(db: DatabaseSyncInstance): void {
  const numbers = (count: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  const at = (count: number): string => `${FIRST_MS} + i * ${Math.floor((90 * 86_400_000) / count)}`;
  const time = (count: number): string =>
    `strftime('%Y-%m-%dT%H:%M:%fZ', (${at(count)}) / 1000.0, 'unixepoch')`;
  db.exec('PRAGMA synchronous = OFF');
  db.exec(`BEGIN;
    ${numbers(LISTED_PEOPLE + OTHER_PEOPLE)}
    INSERT INTO observation (kind, ref, rev, body, subject)
    SELECT 'person', 'p:' || i, 1, json_object('kind', 'person', 'ref', 'p:' || i, 'rev', 1, 'handle', 'p-' || i,
      'firstName', 'Person', 'lastName', '' || i, 'experiences', json_array(json_object('title', 'Rep',
      'companyRef', 'c:' || (i / ${PEOPLE_OF_EACH}), 'endDate', NULL))), 'c:' || (i / ${PEOPLE_OF_EACH}) FROM n;
    ${numbers(LISTED_POSTS + OTHER_POSTS)}
    INSERT INTO observation (kind, ref, rev, body, at, subject)
    SELECT 'post', 't:' || i, 1, json_object('kind', 'post', 'ref', 't:' || i, 'rev', 1, 'authorRef', author,
      'text', 'A post about something that somebody did'), ${FIRST_MS}, author
    FROM (SELECT i, 'p:' || CASE WHEN i < ${LISTED_POSTS} THEN i * ${LISTED_PEOPLE / LISTED_POSTS}
      ELSE ${LISTED_PEOPLE} + i % ${OTHER_PEOPLE} END AS author FROM n);`);
  for (const [kind, date] of [
    ['comment', 'publishedAt'],
    ['reaction', 'reactedAt'],
  ] as const) {
    db.exec(`${numbers(OF_EACH_KIND)}
      INSERT INTO observation (kind, ref, rev, body, at, subject, target, host)
      SELECT '${kind}', 'x:' || i, 1, json_object('kind', '${kind}', 'ref', 'x:' || i, 'rev', 1, 'postRef', post,
        'authorRef', actor, 'text', 'Same here', '${date}', ${time(OF_EACH_KIND)}), ${at(OF_EACH_KIND)}, actor, post, host
      FROM (SELECT n.i, n.post, n.actor, posts.subject AS host FROM (SELECT i,
          't:' || CASE WHEN i % ${OF_EACH_KIND / FOUND_OF_EACH_KIND} = 0
            THEN (i / 7) % ${LISTED_POSTS} ELSE ${LISTED_POSTS} + i % ${OTHER_POSTS} END AS post,
          'p:' || (${LISTED_PEOPLE} + (i * 7) % ${OTHER_PEOPLE}) AS actor FROM n) AS n
        CROSS JOIN observation AS posts ON posts.kind = 'post' AND posts.ref = n.post);`);
  }
  db.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)');
}

/** What a run reads, page by page, and judges: somebody who does not work for a listed company did it. */
async function judgedByPort(source: NetworkSource, listed: ReadonlySet<string>): Promise<readonly string[]> {
  const found: string[] = [];
  const judge = ({ actor, post, kind, ref }: ObservedInteraction): void => {
    if (actor?.entity !== 'person' || post.author?.entity !== 'person') return;
    if (!listed.has(actor.person.current?.companyRef ?? '')) found.push(`${kind} ${ref}`);
  };
  for (let position: Position | null = null; ;) {
    const on = { companyRefs, personRefs: [] };
    const kinds = ['comment', 'reaction'] as const;
    const page = await source.interactions({ ...window, kinds, on, position, limit: PAGE });
    page.items.forEach(judge);
    if (page.next === null) return found;
    position = page.next;
  }
}

/** The same by one query written for nothing else. */
function judgedByHand(db: DatabaseSyncInstance, listed: ReadonlySet<string>): readonly string[] {
  const rows = db
    .prepare(
      `SELECT interaction.body AS interaction, post.body AS post, actor.body AS actor, host.body AS host
       FROM json_each(?) AS company
       CROSS JOIN observation AS host INDEXED BY observation_by_subject
         ON host.kind = 'person' AND host.subject = company.value
       CROSS JOIN observation AS interaction INDEXED BY observation_by_host
         ON interaction.kind IN ('comment', 'reaction') AND interaction.host = host.ref
         AND interaction.at > ? AND interaction.at <= ?
       CROSS JOIN observation AS post ON post.kind = 'post' AND post.ref = interaction.target
       CROSS JOIN observation AS actor ON actor.kind = 'person' AND actor.ref = interaction.subject
       ORDER BY interaction.at, interaction.ref, interaction.kind`,
    )
    .all(JSON.stringify(companyRefs), window.after.getTime(), window.until.getTime());
  return (rows as readonly Record<'interaction' | 'post' | 'actor' | 'host', string>[]).flatMap((row) => {
    const interaction = JSON.parse(row.interaction) as CommentObservation;
    const post = JSON.parse(row.post) as PostObservation;
    const host = JSON.parse(row.host) as PersonObservation;
    const actor = JSON.parse(row.actor) as PersonObservation;
    if (post.authorRef !== host.ref || listed.has(actor.experiences?.[0]?.companyRef ?? '')) return [];
    return [`${interaction.kind} ${interaction.ref}`];
  });
}

async function engagement(): Promise<readonly Measurement[]> {
  const folder = temporaryFolder();
  const path = join(folder.path, 'network.db');
  const store = await openSqliteNetwork({ path, networkBaseUrl: 'https://n.example' });
  const db = connect(path, false);
  try {
    fill(db);
    const listed = new Set(companyRefs);
    let byPort: readonly string[] = [];
    let byHand: readonly string[] = [];
    const portMs = await medianMs(TURNS, async () => (byPort = await judgedByPort(store.source, listed)));
    const handMs = await medianMs(TURNS, () => (byHand = judgedByHand(db, listed)));
    const isSame = JSON.stringify(byPort) === JSON.stringify(byHand);
    return [
      {
        what: 'engagement: 1,000 companies of 50 people, 2,000,000 interactions, 1,000 found',
        measured: portMs,
        unit: 'ms',
        beside: 'one query written by hand',
        besideValue: handMs,
        goal: { atMost: 3 },
        proof: `${byPort.length} found, ${isSame ? 'the same' : 'OTHERS'} by hand`,
      },
    ];
  } finally {
    db.close();
    await store.close();
    folder.remove();
  }
}

export const networkEngagementBench: Bench = { name: 'network-engagement', run: engagement };
