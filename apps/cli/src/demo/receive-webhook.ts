import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { agree } from './agreement.js';
import type { Scene } from './demo-run.js';
import type { Json } from './demo-service.js';
import { listenLocally } from './local-server.js';

const RECEIVED_WITHIN_MS = 30_000;

/** A receiver of webhooks on a loopback address. */
export type DemoReceiver = {
  /** Shows the first verified delivery. */
  readonly showFirst: (say: (line: string) => void) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Adds a webhook endpoint to the workspace, and receives its deliveries like a customer. */
export async function receiveWebhooks({ service, apiKey }: Scene): Promise<DemoReceiver> {
  let secret = '';
  let received: (event: Json) => void = () => undefined;
  let refuse: (reason: Error) => void = () => undefined;
  const first = new Promise<Json>((resolve, reject) => {
    received = resolve;
    refuse = reject;
  });
  const late = setTimeout(() => refuse(new Error('no delivery came')), RECEIVED_WITHIN_MS).unref();
  first.catch(() => undefined);
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const header = (name: string): string => String(request.headers[name]);
    const isVerified = isSigned(secret, header, body);
    if (isVerified) received(JSON.parse(body));
    else refuse(new Error('a delivery was signed with another secret'));
    response.writeHead(isVerified ? 204 : 400).end();
  };
  const server = await listenLocally(
    createServer((request, response) => void receive(request, response).catch(refuse)),
  );
  const { data: endpoint } = await service.api(apiKey, 'POST /api/v3/webhook-endpoints', {
    url: `${server.origin}/signals`,
    types: ['signal.detected'],
  });
  secret = endpoint.secret;
  return {
    async showFirst(say) {
      const { previous_id: _, ...event } = await first;
      clearTimeout(late);
      const { data: feed } = await service.api(apiKey, `GET /api/v3/events?event=${event.id}`);
      agree('the first delivery, and the feed', JSON.stringify([event]), JSON.stringify(feed));
      const { id, details, credits } = event.data;
      say(
        `Webhook   ${event.type} of signal ${id} (${details.keywords.join(', ')}, ${credits} credits) was delivered, and its signature verified.`,
      );
    },
    async close() {
      await service.api(apiKey, `DELETE /api/v3/webhook-endpoints/${endpoint.id}`);
      await server.close();
    },
  };
}

/** Standard Webhooks: HMAC-SHA256 of id, time and body, with the bytes of the secret as key. */
function isSigned(secret: string, header: (name: string) => string, body: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${header('webhook-id')}.${header('webhook-timestamp')}.${body}`;
  const wanted = createHmac('sha256', key).update(signed).digest();
  return header('webhook-signature')
    .split(' ')
    .map((signature) => Buffer.from(signature.replace('v1,', ''), 'base64'))
    .some((found) => found.length === wanted.length && timingSafeEqual(found, wanted));
}
