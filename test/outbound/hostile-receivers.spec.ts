import { sendDelivery, type DeliveryOutcome, type Sent } from '#delivery/webhooks/send-delivery.js';
import { newSigningSecret } from '#delivery/webhooks/signing.js';
import { readCidrs } from '#outbound/addresses.js';
import { createOutbound, type Outbound } from '#outbound/outbound.js';
import { startHostileReceiver, type Hostility } from '#test/support/hostile-receiver.js';
import { startWebServer } from '#test/support/web-server.js';

/** Maximum content of socket buffers, and more than any of these answers needs. */
const MOST_TAKEN_BYTES = 32 * 1024 ** 2;
const SOON_MS = 400;

/**
 * The outbound room with the loopback allowed and short time limits; answers are treated like those of a public
 * address.
 */
function impatient(): Outbound {
  const outbound = createOutbound({ allowed: readCidrs('127.0.0.0/8') ?? [] });
  return {
    request: async (request) => ({
      ...(await outbound.request({ ...request, timeoutMs: SOON_MS })),
      usedException: false,
    }),
  };
}

const send = (url: string, outbound: Outbound = impatient(), signal = new AbortController().signal) =>
  sendDelivery(
    { outbound, nowMs: Date.now },
    { url, id: 'evt_1', body: '{"id":"evt_1"}', secrets: [newSigningSecret()] },
    signal,
  );

describe('DLV-05 SRC-09 a delivery to a hostile receiver', () => {
  const outcomes: readonly (readonly [Hostility, Partial<Sent>])[] = [
    ['hangs', { outcome: 'timeout', statusCode: null }],
    ['drips', { outcome: 'timeout', statusCode: null }],
    ['drips a body', { outcome: 'rejected', statusCode: 500, answer: expect.stringMatching(/^x*$/) }],
    ['floods', { outcome: 'rejected', statusCode: 500, answer: 'x'.repeat(200) }],
    ['floods a success', { outcome: 'delivered', statusCode: 200, answer: null }],
    ['bombs', { outcome: 'rejected', statusCode: 500, answer: 'x'.repeat(200) }],
    ['closes in the head', { outcome: 'unreachable', statusCode: null }],
    ['closes in the body', { outcome: 'rejected', statusCode: 500, answer: 'half of it' }],
    ['closes at once', { outcome: 'unreachable', statusCode: null }],
    ['babbles', { outcome: 'unreachable', statusCode: null }],
    ['sends headers without end', { outcome: 'unreachable', statusCode: null }],
    ['changes the protocol', { outcome: 'unreachable', statusCode: null }],
  ];
  it.each(outcomes)('ends, and reads no more of the answer than it shows: %s', async (hostility, outcome) => {
    const receiver = await startHostileReceiver(hostility);
    try {
      expect(await send(receiver.url)).toMatchObject(outcome);
      expect(receiver.sentBytes()).toBeLessThan(MOST_TAKEN_BYTES);
      expect(receiver.connections()).toBe(1);
    } finally {
      await receiver.close();
    }
  });

  it('ends at once when the process stops', async () => {
    const receiver = await startHostileReceiver('hangs');
    const stopping = new AbortController();
    const sending = send(
      receiver.url,
      createOutbound({ allowed: readCidrs('127.0.0.0/8') ?? [] }),
      stopping.signal,
    );
    stopping.abort(new Error('stopped'));
    await expect(sending).rejects.toThrow('stopped');
    await receiver.close();
  });

  it.each([301, 302, 303, 307, 308])('follows no redirect to an internal address: %d', async (status) => {
    const inside = await startWebServer();
    const receiver = await startWebServer(
      (_, response) => void response.writeHead(status, { location: `${inside.origin}/admin` }).end(),
    );
    expect(await send(`${receiver.origin}/hook`)).toMatchObject({
      outcome: 'redirected',
      statusCode: status,
    });
    expect(inside.requests).toEqual([]);
    await Promise.all([inside.close(), receiver.close()]);
  });

  it.each(['127.0.0.2', '10.0.0.1', '169.254.169.254', '::ffff:127.0.0.2', 'fd00::1'])(
    'reaches no internal address when a name resolves differently at the next attempt: %s',
    async (address) => {
      const receiver = await startWebServer();
      const addresses = ['127.0.0.1', address];
      const outbound = createOutbound({
        allowed: readCidrs('127.0.0.1/32') ?? [],
        resolve: async () => {
          const next = addresses.shift() ?? address;
          return [{ address: next, family: next.includes(':') ? 6 : 4 }];
        },
      });
      const url = `http://rebinding.example.test:${receiver.port}/hook`;
      const outcomesOf: DeliveryOutcome[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) outcomesOf.push((await send(url, outbound)).outcome);
      expect(outcomesOf).toEqual(['delivered', 'refused_address', 'refused_address']);
      expect(receiver.requests.length).toBe(1);
      await receiver.close();
    },
  );
});
