import { get, type IncomingMessage } from 'node:http';

/** A message of a stream of server-sent events. */
export type StreamedEvent = { readonly id: string; readonly event: string; readonly data: unknown };

export type EventStream = {
  readonly status: number;
  readonly contentType: string;
  /** The events received so far. */
  readonly events: readonly StreamedEvent[];
  /** The reconnection time for the client, in ms; null until it came. */
  readonly retryMs: () => number | null;
  /** Resolves when this many events came, or rejects when the stream ends before. */
  readonly until: (count: number) => Promise<readonly StreamedEvent[]>;
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>;
  readonly close: () => void;
};

/** Opens the feed as a stream, with the key of a workspace. */
export async function openEventStream(
  url: string,
  apiKey: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = { authorization: `Bearer ${apiKey}`, accept: 'text/event-stream', ...headers };
    get(url, { headers: asked, agent: false }, resolve).on('error', reject);
  });
  const events: StreamedEvent[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  let retryMs: number | null = null;
  let hasEnded = false;
  response.setEncoding('utf8').on('data', (text: string) => {
    const messages = `${rest}${text}`.split('\n\n');
    rest = messages.pop() ?? '';
    for (const message of messages) {
      const fields = new Map(
        message.split('\n').map((line): [string, string] => {
          const colon = line.indexOf(': ');
          return [line.slice(0, colon), line.slice(colon + 2)];
        }),
      );
      const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
      if (fields.has('retry')) retryMs = Number(fields.get('retry'));
      if (id !== undefined && event !== undefined && data !== undefined) {
        events.push({ id, event, data: JSON.parse(data) });
      }
    }
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((resolve) => {
    response.on('close', () => {
      hasEnded = true;
      for (const look of waiting) look();
      resolve();
    });
  });
  response.on('error', () => undefined);
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    events,
    retryMs: () => retryMs,
    until: (count) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (events.length >= count) resolve([...events]);
          else if (hasEnded) reject(new Error(`the stream ended after ${events.length} events`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    ended,
    close: () => void response.destroy(),
  };
}
