import { join } from 'node:path';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { JsonValue } from '#kernel/values/json.js';
import { interactionsDetector } from '#signals/detection/interactions.detector.js';
import { sampleRun } from '#signals/detection/testing/sample-run.js';
import type { NetworkStore } from '#network/network-store.js';
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
const BATCH = 50;
const TURNS = 5;

const FIRST_MS = Date.parse('2026-01-01T00:00:00Z');
/** The run looks back 90 days. */
const window = { after: new Date(FIRST_MS - 1), until: new Date(FIRST_MS + 90 * 86_400_000 - 1) };
const companyRefs = Array.from({ length: COMPANIES }, (_, index) => `c:${index}`);

const SIGNALS: { readonly [kind: string]: string } = {
  comment: 'leadCommentedCompetitorContent',
  reaction: 'leadLikedCompetitorContent',
};

/** Fields that nobody observed. */
const nulls = (...fields: readonly string[]): string => fields.map((field) => `'${field}', NULL`).join(', ');

/** Made by SQLite itself: taken in line by line it would take longer than all that is measured. */
function fill(db: DatabaseSyncInstance): void {
  const numbers = (count: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
  const at = (count: number): string => `${FIRST_MS} + i * ${Math.floor((90 * 86_400_000) / count)}`;
  const time = (count: number): string =>
    `strftime('%Y-%m-%dT%H:%M:%fZ', (${at(count)}) / 1000.0, 'unixepoch')`;
  db.exec('PRAGMA synchronous = OFF');
  db.exec(`BEGIN;
    ${numbers((LISTED_PEOPLE + OTHER_PEOPLE) / PEOPLE_OF_EACH)}
    INSERT INTO observation (kind, ref, rev, body)
    SELECT 'company', 'c:' || i, 1, json_object('kind', 'company', 'ref', 'c:' || i, 'rev', 1, 'handle', 'c-' || i,
      'name', 'Company ' || i, 'domains', json_array(), 'locations', json_array(), ${nulls(
        ...['industry', 'employees', 'employeeRange', 'foundedYear', 'tagline', 'activitySummary', 'logoUrl'],
      )}) FROM n;
    ${numbers(LISTED_PEOPLE + OTHER_PEOPLE)}
    INSERT INTO observation (kind, ref, rev, body, subject)
    SELECT 'person', 'p:' || i, 1, json_object('kind', 'person', 'ref', 'p:' || i, 'rev', 1, 'handle', 'p-' || i,
      'firstName', 'Person', 'lastName', '' || i, 'experiences', json_array(json_object('title', 'Rep',
      'companyRef', 'c:' || (i / ${PEOPLE_OF_EACH}), ${nulls(
        ...['companyName', 'startDate', 'endDate', 'department', 'seniority', 'location'],
      )})), ${nulls('headline', 'about', 'avatarUrl', 'email', 'phone', 'geo', 'observedAt')}),
      'c:' || (i / ${PEOPLE_OF_EACH}) FROM n;
    ${numbers(LISTED_POSTS + OTHER_POSTS)}
    INSERT INTO observation (kind, ref, rev, body, at, subject)
    SELECT 'post', 't:' || i, 1, json_object('kind', 'post', 'ref', 't:' || i, 'rev', 1, 'authorRef', author,
      'text', 'A post about something that somebody did', ${nulls('url', 'publishedAt')}), ${FIRST_MS}, author
    FROM (SELECT i, 'p:' || CASE WHEN i < ${LISTED_POSTS} THEN i * ${LISTED_PEOPLE / LISTED_POSTS}
      ELSE ${LISTED_PEOPLE} + i % ${OTHER_PEOPLE} END AS author FROM n);`);
  for (const [kind, date] of [
    ['comment', 'publishedAt'],
    ['reaction', 'reactedAt'],
  ] as const) {
    db.exec(`${numbers(OF_EACH_KIND)}
      INSERT INTO observation (kind, ref, rev, body, at, subject, target, host)
      SELECT '${kind}', 'x:' || i, 1, json_object('kind', '${kind}', 'ref', 'x:' || i, 'rev', 1, 'postRef', post,
        'authorRef', actor, 'text', 'Same here', ${nulls('url', 'reaction')}, '${date}', ${time(OF_EACH_KIND)}), ${at(OF_EACH_KIND)}, actor, post, host
      FROM (SELECT n.i, n.post, n.actor, posts.subject AS host FROM (SELECT i,
          't:' || CASE WHEN i % ${OF_EACH_KIND / FOUND_OF_EACH_KIND} = 0
            THEN (i / 7) % ${LISTED_POSTS} ELSE ${LISTED_POSTS} + i % ${OTHER_POSTS} END AS post,
          'p:' || (${LISTED_PEOPLE} + (i * 7) % ${OTHER_PEOPLE}) AS actor FROM n) AS n
        CROSS JOIN observation AS posts ON posts.kind = 'post' AND posts.ref = n.post);`);
  }
  db.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)');
}

/** What an agent finds that discovers leads at these companies, batch by batch as its run does: read, judged, ready. */
async function foundByDetector({ source, directory }: NetworkStore): Promise<readonly string[]> {
  const run = sampleRun({
    now: window.until,
    direction: 'inbound',
    signalTypes: ['leadCommentedCompetitorContent', 'leadLikedCompetitorContent'],
    source,
    directory,
    watched: { members: async () => ({ companyRefs, personRefs: [] }) },
  });
  const found: string[] = [];
  for (let resume: JsonValue = null; ;) {
    const page = await interactionsDetector.find(run, resume, BATCH);
    found.push(...page.matches.map(({ subject }) => subject));
    if (!page.more) return found;
    resume = page.resume;
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
    return [`${SIGNALS[interaction.kind]}:${interaction.ref}`];
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
    let byDetector: readonly string[] = [];
    let byHand: readonly string[] = [];
    const detectorMs = await medianMs(TURNS, async () => (byDetector = await foundByDetector(store)));
    const handMs = await medianMs(TURNS, () => (byHand = judgedByHand(db, listed)));
    const isSame = JSON.stringify(byDetector) === JSON.stringify(byHand);
    return [
      {
        what: 'engagement: 1,000 companies of 50 people, 2,000,000 interactions, 1,000 found',
        measured: detectorMs,
        unit: 'ms',
        beside: 'one query written by hand',
        besideValue: handMs,
        goal: { atMost: 3 },
        proof: `${byDetector.length} found, ${isSame ? 'the same' : 'OTHERS'} by hand`,
      },
    ];
  } finally {
    db.close();
    await store.close();
    folder.remove();
  }
}

export const networkEngagementBench: Bench = { name: 'network-engagement', run: engagement };
