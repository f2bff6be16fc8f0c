import { readFile, stat } from 'node:fs/promises';
import type { Observation } from '#network/observation.js';
import { happenedAtMs } from '#network/observation.js';
import { moveOf, recordedMove } from '#network/moves.js';
import { readObservation } from '#network/read-observation.js';
import { SAMPLE_FILE, shiftSample } from './shift-sample.js';

const DAY_MS = 86_400_000;

async function sample(): Promise<readonly string[]> {
  return (await readFile(SAMPLE_FILE, 'utf8')).trimEnd().split('\n');
}

function read(lines: readonly string[]): readonly Observation[] {
  return lines.map((line) => {
    const { observation, notes } = readObservation(JSON.parse(line));
    expect(notes).toEqual([]);
    return observation;
  });
}

/** Past times of the sample; the due day of a renewal is in the future. */
function times(observations: readonly Observation[]): readonly number[] {
  return observations
    .filter((observation) => observation.kind !== 'company_event' || observation.event !== 'renewal_due')
    .flatMap((observation) => happenedAtMs(observation) ?? []);
}

describe('the shipped sample of the observed network', () => {
  it('has only observations, of every kind, each revision once', async () => {
    const lines = await sample();
    const observations = read(lines);
    expect(new Set(observations.map(({ kind }) => kind)).size).toBe(10);
    const revisions = observations.map(({ kind, ref, rev }) => `${kind} ${ref} ${rev}`);
    expect(new Set(revisions).size).toBe(lines.length);
  });

  it('has some hundred distinct posts over 150 days and stays small', async () => {
    const posts = read(await sample()).filter((observation) => observation.kind === 'post');
    expect(posts.length).toBeGreaterThan(300);
    expect(new Set(posts.map(({ text }) => text)).size).toBe(posts.length);
    const at = times(posts);
    expect(new Date(Math.max(...at)).toISOString()).toBe('2026-01-31T12:00:00.000Z');
    expect(Math.max(...at) - Math.min(...at)).toBe(150 * DAY_MS);
    expect((await stat(SAMPLE_FILE)).size).toBeLessThan(300_000);
  });

  it('names only companies, people and posts that it contains, except those meant to be unknown', async () => {
    const observations = read(await sample());
    const held = new Set(observations.map(({ ref }) => ref));
    const unknown = observations.flatMap((observation) => {
      const named = 'authorRef' in observation ? [observation.authorRef] : [];
      const about = 'companyRef' in observation ? [observation.companyRef] : [];
      const below = 'postRef' in observation ? [observation.postRef] : [];
      return [...named, ...about, ...below].filter((ref) => ref !== null && !held.has(ref));
    });
    expect(unknown).toEqual(['p:not-observed']);
  });
});

describe('the sample besides posts', () => {
  it('has moves of every kind, interactions with competitors, hiring managers, headcount, rounds and a renewal', async () => {
    const observations = read(await sample());
    const held = new Map(
      observations.map((observation) => [`${observation.kind} ${observation.ref}`, observation]),
    );
    const revisions = observations.filter((observation) => observation.kind === 'person');
    const moves = revisions.flatMap((after) => {
      const before = revisions.find(({ ref, rev }) => ref === after.ref && rev === after.rev - 1);
      const recorded = before === undefined ? null : recordedMove(before, after);
      return recorded === null ? [] : (moveOf(recorded, () => null)?.change ?? []);
    });
    expect(new Set(moves)).toEqual(new Set(['new_company', 'promotion', 'departure']));

    const isOnPost = (authors: readonly string[]) =>
      observations.filter((one) => {
        const post =
          one.kind === 'comment' || one.kind === 'reaction' ? held.get(`post ${one.postRef}`) : undefined;
        return post?.kind === 'post' && authors.includes(post.authorRef ?? '');
      }).length;
    expect(isOnPost(['p:elena-cruz', 'c:rivalco'])).toBeGreaterThan(2);
    expect(isOnPost(['p:priya-nair', 'p:carlos-mendes', 'c:pipewise'])).toBeGreaterThan(2);

    const postings = observations.filter((observation) => observation.kind === 'job_posting');
    expect(
      postings.filter(({ hiringManagerRef }) => held.has(`person ${hiringManagerRef}`)).length,
    ).toBeGreaterThan(5);
    const series = observations.filter((one) => one.kind === 'headcount' && one.companyRef === 'c:acme');
    expect(series.length).toBeGreaterThan(6);
    const events = observations.filter((observation) => observation.kind === 'company_event');
    expect(
      events.filter(({ event, fields }) => event === 'funding' && fields['round'] === 'series_b').length,
    ).toBe(2);
    expect(events.filter((one) => one.event === 'renewal_due' && happenedAtMs(one) !== null).length).toBe(1);
  });
});

describe('shiftSample', () => {
  it('moves everything by the same whole days, the newest to within a day before now', async () => {
    const lines = await sample();
    for (const now of ['2026-02-01T11:59:59Z', '2031-07-14T03:20:00Z', '2025-03-01T00:00:00Z']) {
      const before = times(read(lines));
      const after = times(read(shiftSample(lines, new Date(now))));
      const moved = new Set(after.map((at, index) => at - (before[index] ?? 0)));
      expect(moved.size).toBe(1);
      expect([...moved].every((ms) => ms % DAY_MS === 0)).toBe(true);
      const ago = Date.parse(now) - Math.max(...after);
      expect(ago).toBeGreaterThanOrEqual(0);
      expect(ago).toBeLessThan(DAY_MS);
    }
  });

  it('moves months and days too and changes nothing else', () => {
    const line = JSON.stringify({
      at: '2026-01-31T12:00:00Z',
      start: '2026-01',
      on: ['2026-03-31', 2026],
      text: 'since 2026-01',
      none: null,
    });
    expect(shiftSample([line, ''], new Date('2026-03-02T12:00:00Z'))).toEqual([
      JSON.stringify({
        at: '2026-03-02T12:00:00Z',
        start: '2026-01',
        on: ['2026-04-30', 2026],
        text: 'since 2026-01',
        none: null,
      }),
    ]);
  });

  it('changes nothing on the day it ends', async () => {
    const lines = await sample();
    expect(shiftSample(lines, new Date('2026-01-31T12:00:00Z'))).toEqual(lines);
  });
});
