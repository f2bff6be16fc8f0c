import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { feedBeginsAt, feedPoint, type FeedSource } from '#delivery/event-feed.js';
import { feedMoves, type FeedMoves } from '#delivery/feed-moves.js';
import { feedStream } from '#delivery/feed-stream.js';
import { tooManyRequests } from '#http/problem.js';
import { textAnswer, type TextAnswer } from '#http/text-answer.js';
import { apiKeys } from '#projections/access/api-keys/api-keys.projection.js';
import type { FeedType } from '#projections/delivery/event-feed/event-feed.projection.js';
import { PORTS, type ApiPorts } from '../ports.js';

/** The parameters of a stream of events. */
export type EventStreamRequest = {
  readonly workspaceId: number;
  readonly apiKeyId: number;
  /** The types of the events; null: all. */
  readonly types: readonly FeedType[] | null;
  /** The event after which the stream begins; null: 30 days ago. */
  readonly cursor: string | null;
};

/** The maximum number of streams of one workspace in one process. */
const MOST_OF_WORKSPACE = 100;
/**
 * The maximum time without output; a stream ends at most twice this time after its key is revoked (DLV-06), in ms.
 */
const BEAT_MS = 2_000;
const RETRY_AFTER_S = 30;

const placeOf = async (source: FeedSource, workspaceId: number, cursor: string | null) =>
  cursor === null ? null : feedPoint(source, workspaceId, cursor);

function later(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/**
 * The open streams of this process. They end when the process stops: a client continues on another process from its
 * last id.
 */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly moves: FeedMoves;
  private readonly streamsOf = new Map<number, number>();

  constructor(@Inject(PORTS) private readonly ports: Pick<ApiPorts, 'eventFeed' | 'clock'>) {
    this.moves = feedMoves(ports.eventFeed);
  }

  /**
   * The answer that streams the feed of a workspace. Rejects with 410 for an unknown cursor, and with 429 if the
   * workspace has too many open streams.
   */
  async open({ workspaceId, apiKeyId, types, cursor }: EventStreamRequest): Promise<TextAnswer> {
    const { moves } = this;
    const { eventFeed: source, clock } = this.ports;
    const close = this.take(workspaceId);
    const after = await placeOf(source, workspaceId, cursor).catch((error: unknown) => {
      close();
      throw error;
    });
    const mayGoOn = async (): Promise<boolean> =>
      (await source.readModels.get(apiKeys, String(apiKeyId)))?.revoked !== true;
    const since = feedBeginsAt(clock.now());
    const host = { source, moves, mayGoOn, beatMs: BEAT_MS, nowMs: () => performance.now(), later };
    const answer = textAnswer('text/event-stream', feedStream(host, { workspaceId, types, after, since }));
    // Also if the client is gone before the first piece is made.
    answer.data.once('close', close);
    return answer;
  }

  onModuleDestroy(): void {
    this.moves.end();
  }

  /** Counts a stream before anything is awaited. Returns a function that uncounts it. */
  private take(workspaceId: number): () => void {
    const open = this.streamsOf.get(workspaceId) ?? 0;
    if (open >= MOST_OF_WORKSPACE) throw tooManyRequests(RETRY_AFTER_S);
    this.streamsOf.set(workspaceId, open + 1);
    return () => {
      const left = (this.streamsOf.get(workspaceId) ?? 1) - 1;
      if (left === 0) this.streamsOf.delete(workspaceId);
      else this.streamsOf.set(workspaceId, left);
    };
  }
}
