import { Webhook } from 'standardwebhooks';
import { expectDescribed } from './declared-answers.js';
import { startWebServer, type WebAnswer, type WebRequest, type WebServer } from './web-server.js';

/** A delivery as a receiver has read it. */
export type Received = {
  readonly id: string;
  /** The signatures of the header. */
  readonly signatures: number;
  // The shape is what the test asserts.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
};

/** A receiver on a loopback address that verifies every delivery with the package of Standard Webhooks. */
export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Secrets; each has to verify every delivery from now on. Deliveries wait for secrets that are not known yet. */
  secrets: readonly string[] | Promise<readonly string[]>;
  /** The current answer. */
  answer: WebAnswer;
  /** Resolves when this many deliveries came since it was started. */
  readonly until: (count: number) => Promise<readonly Received[]>;
  readonly close: () => Promise<void>;
};

/**
 * Deliveries of different events in the order of the feed, as `previous_id` links them: those in flight at the same time
 * arrive in any order (DLV-05).
 */
export function inFeedOrder(received: readonly Received[]): readonly Received[] {
  const following = new Map(received.map((delivery) => [delivery.body.previous_id, delivery]));
  const ids = new Set(received.map(({ id }) => id));
  const ordered: Received[] = [];
  let next = received.find(({ body }) => !ids.has(body.previous_id));
  for (; next !== undefined; next = following.get(next.id)) ordered.push(next);
  return ordered;
}

const OK: WebAnswer = (_, response) => void response.writeHead(204).end();

export async function startReceiver(...secrets: readonly string[]): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let failure: unknown = null;
  async function take(asked: WebRequest): Promise<void> {
    const header = (name: string): string => String(asked.headers[name]);
    const signed = {
      'webhook-id': header('webhook-id'),
      'webhook-timestamp': header('webhook-timestamp'),
      'webhook-signature': header('webhook-signature'),
    };
    try {
      for (const secret of await receiver.secrets) new Webhook(secret).verify(asked.body, signed);
      const signatures = signed['webhook-signature'].split(' ').length;
      const body = JSON.parse(asked.body);
      // a message of Slack has no type
      if (body.type !== undefined) expectDescribed(body);
      received.push({ id: signed['webhook-id'], signatures, body });
    } catch (error) {
      failure = error;
    }
    for (const look of waiting) look();
  }
  const server: WebServer = await startWebServer((request, response) => {
    const asked = server.requests.at(-1);
    if (asked === undefined) throw new Error('a request without a request');
    void take(asked).then(() => receiver.answer(request, response));
  });
  const receiver: Receiver = {
    url: `${server.origin}/hook`,
    received,
    secrets,
    answer: OK,
    until: (count) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (failure !== null) reject(failure instanceof Error ? failure : new Error('not verified'));
          else if (received.length >= count) resolve(received);
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    close: server.close,
  };
  return receiver;
}
