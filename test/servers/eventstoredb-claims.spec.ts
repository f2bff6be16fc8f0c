import type { EventStore } from '#kernel/ports/event-store.port.js';
import { createIds } from '#kernel/commands/ids.js';
import type { ContentFacts } from '#identities/domain/contents/content-facts.js';
import { identityClaims } from '#identities/claim-identities.js';
import { commandsOn, contextOf, NOON } from '#test/kernel/tally.js';
import { everythingAfter } from '#test/support/event-stores.js';
import {
  eventStoreDbEventStores,
  type EventStoreDbEventStores,
} from '#test/support/eventstoredb-event-stores.js';
import { startEventStoreDbServer, type EventStoreDbServer } from './eventstoredb/eventstoredb-server.js';

const WORKSPACE = 1;

describe('claims of contents on EventStoreDB (fault server)', () => {
  let server: EventStoreDbServer;
  let stores: EventStoreDbEventStores;
  let streamReads = 0;
  beforeEach(async () => {
    server = await startEventStoreDbServer();
    stores = eventStoreDbEventStores(server.url);
    streamReads = 0;
  });
  afterEach(async () => {
    await stores.closeAll();
    server.stop();
  });

  /** Claims of one process, which counts its reads of the streams of contents. */
  const claims = async () => {
    const store = await stores.open();
    const counted: EventStore = {
      ...store,
      readStream(stream, read) {
        if (stream.startsWith('contentIdentity-')) streamReads += 1;
        return store.readStream(stream, read);
      },
    };
    const host = { commands: commandsOn(counted), ids: createIds(store, NOON) };
    return identityClaims(host, WORKSPACE, (step) => contextOf(step)).claimContents;
  };
  const facts: ContentFacts = {
    url: null,
    text: 'Words.',
    published_at: '2026-01-01T00:00:00.000Z',
    author: null,
    reaction_count: null,
    comment_count: null,
  };
  const seen = (ref: string, known: ContentFacts | null = facts) => ({
    content: { ref, type: 'post' as const, facts: known },
    leadId: null,
    companyId: null,
  });
  const captured = async (): Promise<readonly unknown[]> =>
    (await everythingAfter(await stores.open(), '', { types: ['ContentCaptured'] })).map(
      ({ data: { ref, contentId } }) => [ref, contentId],
    );

  it('read no stream for contents that are new in the workspace', async () => {
    const claimContents = await claims();
    expect(await claimContents([seen('post:1'), seen('post:2')])).toEqual([1, 2]);
    expect(streamReads).toBe(0);
    expect(await captured()).toEqual([
      ['post:1', 1],
      ['post:2', 2],
    ]);
  });

  it('find the ids of contents that another process has captured, also when they are repeated', async () => {
    const [first, second] = [await claims(), await claims()];
    const ids = await first([seen('post:1'), seen('post:2')]);
    expect((await second([seen('post:2'), seen('post:3'), seen('post:1')])).toSpliced(1, 1)).toEqual(
      ids.toReversed(),
    );
    expect(await second([seen('post:2')])).toEqual([ids[1]]);
    expect((await captured()).length).toBe(3);
  });

  it('read the stream of a content without facts, which only a captured one has an id for', async () => {
    const [first, second] = [await claims(), await claims()];
    const [id] = await first([seen('post:1')]);
    expect(await second([seen('post:1', null), seen('post:2', null)])).toEqual([id, null]);
    expect((await captured()).length).toBe(1);
  });
});
