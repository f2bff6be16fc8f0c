import type { EventStore } from '#kernel/ports/event-store.port.js';
import { createIds } from '#kernel/commands/ids.js';
import type { ContentFacts } from '#identities/domain/contents/content-facts.js';
import type { ClaimHost } from '#identities/claim-host.js';
import { identityClaims } from '#identities/claim-identities.js';
import { companyStub, personStub } from '#identities/observed-facts.js';
import { commandsOn, contextOf, NOON } from '#test/kernel/tally.js';
import { everythingAfter } from '#test/support/event-stores.js';
import {
  eventStoreDbEventStores,
  type EventStoreDbEventStores,
} from '#test/support/eventstoredb-event-stores.js';
import { startEventStoreDbServer, type EventStoreDbServer } from './eventstoredb/eventstoredb-server.js';

const WORKSPACE = 1;

/** A network without observations. */
const unobserved: ClaimHost['directory'] = {
  resolveCompanies: (asked) => Promise.resolve(asked.map(() => ({ outcome: 'unknown' }) as const)),
};

describe('claims on EventStoreDB (fault server)', () => {
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

  /** Claims of one process, which counts its reads of the streams of identities. */
  const allClaims = async () => {
    const store = await stores.open();
    const counted: EventStore = {
      ...store,
      readStream(stream, read) {
        if (/^(content|company|lead)Identity-/.test(stream)) streamReads += 1;
        return store.readStream(stream, read);
      },
    };
    const host = { commands: commandsOn(counted), ids: createIds(store, NOON), directory: unobserved };
    return identityClaims(host, WORKSPACE, (step) => contextOf(step));
  };
  const claims = async () => (await allClaims()).claimContents;
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
  const written = async (...types: readonly string[]) => everythingAfter(await stores.open(), '', { types });
  const captured = async (): Promise<readonly unknown[]> =>
    (await written('ContentCaptured')).map(({ data: { ref, contentId } }) => [ref, contentId]);

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

  describe('of people and companies', () => {
    const NEW = 20;
    const people = (count: number, rev = 1) =>
      Array.from({ length: count }, (_, index) => ({
        seen: { ...personStub(`person-${index}`, `https://network.example/${index}`), rev },
        companyId: null,
      }));
    const companies = (count: number, rev = 1) =>
      Array.from({ length: count }, (_, index) => ({
        ...companyStub({ handle: null, domain: `${index}.example`, networkUrl: null }),
        rev,
      }));

    it('read a sample of those that are not in memory', async () => {
      const { claimLeads, claimCompanies } = await allClaims();
      expect(await claimLeads(people(NEW))).toEqual(Array.from({ length: NEW }, (_, index) => index + 1));
      expect(streamReads).toBe(4);
      expect(await claimCompanies(companies(NEW))).toHaveLength(NEW);
      expect(streamReads).toBe(8);
    });

    it('read all of them if one of the sample is known', async () => {
      const [first, second] = [await allClaims(), await allClaims()];
      const ids = await first.claimLeads(people(2).slice(1));
      const claimed = await second.claimLeads(people(NEW));
      expect(claimed[1]).toBe(ids[0]);
      expect(streamReads).toBe(1 + NEW);
      expect(new Set(claimed).size).toBe(NEW);
    });

    it('find each company that the workspace has by its domain alone, although a sample of those with handles is new', async () => {
      const [first, second] = [await allClaims(), await allClaims()];
      const [older, newer] = await first.claimCompanies(companies(NEW).slice(NEW - 2));
      streamReads = 0;
      const withHandles = Array.from({ length: NEW }, (_, index) =>
        companyStub({ handle: `company-${index}`, domain: `${index}.example`, networkUrl: null }),
      );
      const claimed = await second.claimCompanies(withHandles);
      expect(claimed.slice(NEW - 2)).toEqual([older, newer]);
      expect(new Set(claimed).size).toBe(NEW);
      // A sample of the handles, and every domain.
      expect(streamReads).toBe(4 + NEW);
    });

    it('find and update those that another process has registered although a sample is new', async () => {
      const [first, second] = [await allClaims(), await allClaims()];
      const leadIds = await first.claimLeads(people(NEW).slice(NEW - 2));
      const companyIds = await first.claimCompanies(companies(NEW).slice(NEW - 2));
      const [leads, found] = [
        await second.claimLeads(people(NEW, 2)),
        await second.claimCompanies(companies(NEW, 2)),
      ];
      expect(leads.slice(NEW - 2)).toEqual(leadIds);
      expect(found.slice(NEW - 2)).toEqual(companyIds);
      expect([new Set(leads).size, new Set(found).size]).toEqual([NEW, NEW]);
      expect(await written('LeadRegistered', 'CompanyRegistered')).toHaveLength(2 * NEW);
      const updated = await written('LeadUpdated', 'CompanyUpdated');
      expect(
        updated.map(({ type, data }) => [type, data['leadId'] ?? data['companyId'], data['rev']]),
      ).toEqual([
        ...leadIds.map((id) => ['LeadUpdated', id, 2]),
        ...companyIds.map((id) => ['CompanyUpdated', id, 2]),
      ]);
      // Again nothing is newer.
      await second.claimLeads(people(NEW, 2));
      await second.claimCompanies(companies(NEW, 2));
      expect(await written('LeadUpdated', 'CompanyUpdated')).toHaveLength(4);
    });
  });
});
