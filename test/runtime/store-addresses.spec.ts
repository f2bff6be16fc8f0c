import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { readiness } from '#runtime/readiness.js';
import type { ServiceHost } from '#runtime/service-host.js';
import { InvalidSetting, readSettings } from '#runtime/settings.js';
import { openStores } from '#runtime/stores.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const WRONG: { readonly [setting: string]: readonly string[] } = {
  EVENT_STORE_URL: [
    'esdb://',
    'esdb:2113',
    'http://admin:hunter2@host:2113',
    'mongodb://admin:hunter2@host/db',
    'esdb://admin:hunter2@host:port',
    'esdb://admin:hunter2@host:2113?tls=maybe',
    'esdb://admin:hunter2@host:2113?nodePreference=best',
    'esdb://admin:hun/ter2:hunter2@',
  ],
  READ_STORE_URL: [
    'mongodb://',
    'mongodb://admin:hunter2@host',
    'mongodb://admin:hunter2@host/',
    'mongo://admin:hunter2@host/db',
    'esdb://admin:hunter2@host:2113',
    'mongodb://admin:hun/ter2hunter2@host/db',
    'mongodb://admin:hunter2@host:port/db',
    'mongodb://admin:hunter2@host:99999/db',
    'mongodb://admin:hunter2%@host/db',
    'mongodb://admin:hunter2@host/db?nosuchoption=1',
    'mongodb://admin:hunter2@host/db?maxPoolSize=many',
    'mongodb+srv://admin:hunter2@a.b.example:27017/db',
  ],
};

describe('the addresses of stores', () => {
  const folder = temporaryFolder('store-addresses');
  const refusal = async (environment: { readonly [setting: string]: string }): Promise<Error> => {
    try {
      const stores = await openStores(
        readSettings({ DATA_DIR: folder, CURSOR_SECRET: 'the same everywhere', ...environment }),
      );
      await stores.close();
    } catch (error) {
      if (error instanceof Error) return error;
    }
    throw new Error(`${JSON.stringify(environment)} was taken`);
  };
  const expectOneLine = (setting: string, url: string, { message, cause }: Error): void => {
    expect([url, message]).toEqual([
      url,
      expect.stringMatching(new RegExp(`^${setting}(:| takes) [^\\n]{10,300}$`)),
    ]);
    expect([url, message]).toEqual([url, expect.not.stringMatching(/hunter2|ter2/)]);
    expect([url, String(cause)]).toEqual([url, expect.not.stringMatching(/hunter2|ter2/)]);
  };

  for (const [setting, urls] of Object.entries({
    ...WRONG,
    NETWORK_STORE_URL: WRONG['READ_STORE_URL'] ?? [],
  })) {
    it(`a wrong ${setting} stops the start with one line that names it and shows no password`, async () => {
      expect(urls.length).toBeGreaterThan(5);
      for (const url of urls) {
        const error = await refusal({ [setting]: url });
        expectOneLine(setting, url, error);
        expect([url, error.name]).toEqual([url, expect.stringMatching(/^(InvalidSetting|StoreUnusable)$/)]);
      }
      expect(await refusal({ [setting]: urls[0] ?? '' })).toBeInstanceOf(InvalidSetting);
    });
  }

  for (const [setting, url] of [
    ['EVENT_STORE_URL', 'esdb://admin:hunter2@127.0.0.1:9?tls=false'],
    ['READ_STORE_URL', 'mongodb://admin:hunter2@127.0.0.1:9/db?serverSelectionTimeoutMS=50'],
    ['NETWORK_STORE_URL', 'mongodb://admin:hunter2@127.0.0.1:9/db?serverSelectionTimeoutMS=50'],
  ] as const) {
    it(`${setting} without a server there says so in one line that names it and shows no password`, async () => {
      const error = await refusal({ [setting]: url });
      expect(error).toBeInstanceOf(StoreUnavailable);
      expectOneLine(setting, url, error);
    });
  }
});

describe('readiness', () => {
  for (const away of ['event store', 'read store', 'network store']) {
    it(`names the ${away} when it is away, and the kind of each store`, async () => {
      const kinds = ['event store: SQLite', 'read store: MongoDB (standalone)', 'network store: SQLite'];
      const asked = (store: string) => async (): Promise<void> => {
        if (store === away) throw new StoreUnavailable('nobody answers');
      };
      const host = {
        degraded: () => [],
        stores: { kinds, reads: { ping: asked('read store') } },
        eventStore: { head: asked('event store'), requireSpace: async () => undefined },
        network: { ping: asked('network store') },
      };
      expect(await readiness(host as unknown as ServiceHost).report()).toEqual({
        ready: false,
        degraded: [],
        reasons: [`${away}: nobody answers`],
        stores: kinds,
      });
    });
  }
});
