import type { SecretStore } from '#kernel/ports/secret-store.port.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { tooManyEndpoints } from '../domain/webhooks/webhook-endpoints.js';
import { webhookDesk } from './webhook-desk.js';

describe('DLV-04 a new signing secret', () => {
  const kept = new Map<string, string>();
  const secrets: SecretStore = {
    put: async (name, secret) => void kept.set(name, secret),
    get: async (names) => new Map([...kept].filter(([name]) => names.includes(name))),
    delete: async (names) => names.forEach((name) => kept.delete(name)),
    close: async () => undefined,
  };
  const never = (): never => {
    throw new Error('no request and no record is needed');
  };
  const desk = webhookDesk({
    secrets,
    outbound: { request: never },
    allowed: [],
    reads: { getRecord: never, putRecord: never, deleteRecord: never, listRecords: never },
    onAttempt: never,
  });
  beforeEach(() => kept.clear());

  it('is stored under a name of its endpoint before the work goes on', async () => {
    const name = await desk.withNewSecret(7, 4, async (make) => {
      const made = await make();
      expect([...kept.keys()]).toEqual([made]);
      return made;
    });
    expect(name).toMatch(/^webhook:7:4:/);
    expect(await desk.secret(name)).toMatch(/^whsec_/);
  });

  it('is forgotten if the work is refused', async () => {
    const refused = desk.withNewSecret(7, 4, async (make) => {
      await make();
      throw tooManyEndpoints();
    });
    await expect(refused).rejects.toMatchObject({ name: 'Refusal' });
    expect(kept.size).toBe(0);
  });

  it('stays if the outcome is unknown, because an event may name it', async () => {
    const doubtful = desk.withNewSecret(7, 4, async (make) => {
      await make();
      throw new StoreUnavailable('the connection was lost');
    });
    await expect(doubtful).rejects.toThrow('the connection was lost');
    expect(kept.size).toBe(1);
  });
});
