import { InvalidSetting, readSettings } from '#runtime/settings.js';

describe('EVENT_STORE_URL', () => {
  const CURSOR_SECRET = 'the same everywhere';
  it('takes a file, and a server with esdb:// or esdb+discover://', () => {
    expect(readSettings({ DATA_DIR: '/data' }).eventStore).toEqual({
      kind: 'sqlite',
      path: '/data/events.db',
    });
    for (const url of [
      'esdb://localhost:2113?tls=false',
      'esdb+discover://user:secret@cluster.example:2113',
    ]) {
      expect(readSettings({ EVENT_STORE_URL: url, CURSOR_SECRET }).eventStore).toEqual({ kind: 'esdb', url });
    }
  });

  it('stops the start with one line that names it and shows no password', () => {
    for (const EVENT_STORE_URL of [
      'http://admin:hunter2@host',
      'esdb:',
      'esdb://',
      'mongodb://host/db',
      'sqlite:',
    ]) {
      const read = (): unknown => readSettings({ EVENT_STORE_URL, CURSOR_SECRET });
      expect(read).toThrow(InvalidSetting);
      expect(read).toThrow(/^EVENT_STORE_URL takes [^\n]*$/);
      expect(read).not.toThrow(/hunter2/);
    }
  });

  it('requires CURSOR_SECRET when it names a server, since other processes must read the same cursors', () => {
    const read = (): unknown => readSettings({ EVENT_STORE_URL: 'esdb://localhost:2113' });
    expect(read).toThrow(/^CURSOR_SECRET takes [^\n]*$/);
  });
});
