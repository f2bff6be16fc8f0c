import { feedMoves, type FeedMoves } from '#delivery/feed-moves.js';
import { feedStream } from '#delivery/feed-stream.js';
import type { WebhookEndpointDocument } from '#projections/delivery/webhook-endpoints/webhook-endpoints.projection.js';
import {
  manualTimers,
  openWebhookScene,
  type ManualTimers,
  type WebhookScene,
} from '../support/webhook-scene.js';

const BEAT_MS = 2_000;
const BEAT = ': beat\n\n';

/** A stream and its reader, which takes a piece when the test says so. */
type Reading = {
  readonly timers: ManualTimers;
  readonly moves: FeedMoves;
  /** Pieces in their order, with their times. */
  readonly pieces: readonly { readonly text: string; readonly atMs: number }[];
  /** Takes one more piece; resolves with it, or with null if the stream has ended. */
  readonly take: () => Promise<string | null>;
  /** Pages of the feed that the stream has read. */
  readonly pagesRead: () => number;
  /** The feed of every workspace has changed. */
  readonly move: () => void;
  /** Holds the next page after its checkpoint was read, until the returned function is called. */
  readonly holdPage: () => () => void;
  readonly revoke: () => void;
  /** From now on the feed is that of a log that ends here. */
  readonly setBackTo: (position: string) => void;
};

describe('a stream of events, read piece by piece', () => {
  let scene: WebhookScene;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    scene = await openWebhookScene();
  });
  afterEach(() => Promise.all(ends.splice(0).map((end) => end())));
  afterAll(() => scene.house.close());

  function read({ workspaceId }: WebhookEndpointDocument): Reading {
    const timers = manualTimers(0);
    let moved = (): void => undefined;
    let pagesRead = 0;
    let isRevoked = false;
    let end: string | null = null;
    let held = Promise.resolve();
    const feed = scene.source();
    const source = {
      ...feed,
      watch: (callback: () => void) => {
        moved = callback;
        return () => undefined;
      },
      standing: async (id: number) => {
        const standing = await feed.standing(id);
        // A look for all streams names no workspace.
        if (id !== workspaceId) return standing;
        pagesRead += 1;
        await held;
        return standing === null || end === null ? standing : { ...standing, position: end };
      },
    };
    const moves = feedMoves(source);
    const { nowMs, later } = timers;
    const host = { source, moves, mayGoOn: async () => !isRevoked, beatMs: BEAT_MS, nowMs, later };
    const stream = feedStream(host, { workspaceId, types: null, after: null, since: new Date(0) });
    const pieces: { text: string; atMs: number }[] = [];
    ends.push(async () => {
      moves.end();
      timers.pass(BEAT_MS);
      await stream.return(undefined);
    });
    return {
      timers,
      moves,
      pieces,
      async take() {
        const { value, done } = await stream.next();
        if (done === true) return null;
        pieces.push({ text: value, atMs: timers.nowMs() });
        return value;
      },
      pagesRead: () => pagesRead,
      move: () => moved(),
      holdPage() {
        let release = (): void => undefined;
        held = new Promise((resolve) => (release = resolve));
        return release;
      },
      revoke: () => void (isRevoked = true),
      setBackTo: (position) => void (end = position),
    };
  }

  const idsIn = (text: string): readonly string[] =>
    [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '');

  /** Lets work with an answer continue, without time passing. */
  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < 200; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it('sends a heartbeat after two seconds without an event, and not before', async () => {
    const { take, timers, pieces } = read(await scene.endpoint());
    expect(await take()).toBe('retry: 3000\n\n');
    for (let beat = 1; beat <= 5; beat += 1) {
      const taken = take();
      await settle();
      timers.pass(BEAT_MS - 1);
      await settle();
      expect(pieces.length).toBe(beat);
      timers.pass(1);
      expect([await taken, timers.nowMs()]).toEqual([BEAT, beat * BEAT_MS]);
    }
  });

  it('sends an event as soon as it is notified, not with the next heartbeat', async () => {
    const endpoint = await scene.endpoint();
    const { take, move, timers } = read(endpoint);
    await take();
    const taken = take();
    await settle();
    const [event] = await scene.happen(endpoint, 1);
    move();
    expect(idsIn((await taken) ?? '')).toEqual([event?.id]);
    expect(timers.nowMs()).toBe(0);
  });

  it('sends an event that arrived while a page was read at once', async () => {
    const endpoint = await scene.endpoint();
    const { take, move, holdPage, pagesRead, timers } = read(endpoint);
    await take();
    const release = holdPage();
    const taken = take();
    while (pagesRead() === 0) await settle();
    const [event] = await scene.happen(endpoint, 1);
    move();
    await settle();
    release();
    expect(idsIn((await taken) ?? '')).toEqual([event?.id]);
    expect(timers.nowMs()).toBe(0);
  });

  it('DLV-06 ends within two heartbeats after the revocation of its key, idle or in the middle of a history', async () => {
    const silent = read(await scene.endpoint());
    await silent.take();
    silent.revoke();
    const after: (string | null)[] = [];
    for (let pieces = 0; pieces < 3 && after.at(-1) !== null; pieces += 1) {
      const taken = silent.take();
      await settle();
      silent.timers.pass(BEAT_MS);
      after.push(await taken);
    }
    expect(after).toEqual([BEAT, null]);
    expect(silent.timers.nowMs()).toBeLessThanOrEqual(2 * BEAT_MS);

    const endpoint = await scene.endpoint();
    await scene.happen(endpoint, 100);
    const busy = read(endpoint);
    await busy.take();
    expect(idsIn((await busy.take()) ?? '').length).toBeGreaterThan(0);
    busy.revoke();
    busy.timers.pass(BEAT_MS);
    busy.timers.pass(BEAT_MS);
    expect(await busy.take()).toBeNull();
  });

  it('makes no piece ahead of its reader, and at most 20 events per piece', async () => {
    const endpoint = await scene.endpoint();
    const events = await scene.happen(endpoint, 100);
    const { take, move, timers, pagesRead } = read(endpoint);
    await take();
    const seen = [...idsIn((await take()) ?? '')];
    expect(seen.length).toBe(20);
    // The reader has stopped. Nothing is read for it, whatever happens meanwhile.
    const before = pagesRead();
    for (let minute = 0; minute < 30; minute += 1) {
      move();
      timers.pass(60_000);
      await settle();
    }
    expect(pagesRead()).toBe(before);
    while (seen.length < events.length) {
      const ids = idsIn((await take()) ?? '');
      expect(ids.length).toBeLessThanOrEqual(20);
      seen.push(...ids);
    }
    expect(seen).toEqual(events.map(({ id }) => id));
  });

  it('looks again without a notification: a missed event comes with a heartbeat', async () => {
    const endpoint = await scene.endpoint();
    const { take, timers } = read(endpoint);
    await take();
    const beat = take();
    await settle();
    const [event] = await scene.happen(endpoint, 1);
    timers.pass(BEAT_MS);
    expect(await beat).toBe(BEAT);
    expect(idsIn((await take()) ?? '')).toEqual([event?.id]);
  });

  it('ends when the log was reset to one that ends before its last event, so that its client continues there', async () => {
    const endpoint = await scene.endpoint();
    const [first] = await scene.happen(endpoint, 2);
    const stream = read(endpoint);
    await stream.take();
    expect(idsIn((await stream.take()) ?? '')).toHaveLength(2);
    stream.setBackTo(first?.position ?? '');
    const taken = stream.take();
    stream.move();
    await settle();
    stream.timers.pass(BEAT_MS);
    expect(await taken).toBeNull();
  });

  it('ends when the process stops, also while it is idle', async () => {
    const { take, moves, timers } = read(await scene.endpoint());
    await take();
    const taken = take();
    await settle();
    moves.end();
    expect([await taken, timers.nowMs()]).toEqual([null, 0]);
  });
});
