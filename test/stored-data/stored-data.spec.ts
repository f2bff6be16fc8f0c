import { join } from 'node:path';
import { decodeEvent } from '#kernel/events/event-codec.js';
import { openSqliteEventStore } from '#event-store/sqlite/sqlite-event-store.js';
import { openSqliteReadStore } from '#read-store/sqlite/open-sqlite-read-store.js';
import { allEvents } from '#runtime/vocabularies.js';
import { everythingAfter } from '#test/support/event-stores.js';
import type { TestService } from '#test/support/service.js';
import {
  answeredNow,
  answerOfToday,
  dataDirectoryOf,
  startOn,
  storedAnswers,
  storedFacts,
  writeJournal,
} from './stored-data.js';
import { journal } from './journal.js';

const { stopped, longLedger, keyed } = storedFacts;

const sealsOfThen = new Set(journal.flatMap(({ metadata: { hash } }) => hash ?? []));

/** Today's version wrote the later entries of the stopped run, with more fields: these entries have other seals. */
function withSealsOfToday(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(withSealsOfToday);
  if (typeof answer !== 'object' || answer === null || 'asymmetricMatch' in answer) return answer;
  const members = Object.entries(answer).map(([name, value]: [string, unknown]) => {
    const isNew = name === 'hash' && typeof value === 'string' && !sealsOfThen.has(value);
    return [name, isNew ? expect.stringMatching(/^[0-9a-f]{64}$/) : withSealsOfToday(value)];
  });
  return Object.fromEntries(members);
}

/** Every query has its old answer, except those that `answerOfToday` names. */
async function expectStoredAnswers(service: TestService): Promise<void> {
  for (const asked of storedAnswers) {
    const { status, body } = await answeredNow(service, asked);
    const question = 'command' in asked ? { ...asked.input, command: asked.command } : asked.route;
    expect({ question, status, body }).toEqual({
      question,
      status: asked.status,
      body: withSealsOfToday(answerOfToday(asked)),
    });
  }
}

async function expectVerified(service: TestService): Promise<void> {
  const { status, body } = await service.ops('projections.verify');
  expect(status).toBe(200);
  expect(body.verified.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
  expect(body.verified.length).toBeGreaterThan(25);
}

describe('the data that an earlier version stored', () => {
  it('has queries about every workspace, and most of them were answered', () => {
    expect(storedAnswers.length).toBeGreaterThan(900);
    expect(storedAnswers.filter(({ status }) => status === 200).length).toBeGreaterThan(800);
    // 81 types of events existed then, and each occurs
    expect(new Set(journal.map(({ type }) => type)).size).toBe(81);
  });

  it('has only events that are known today and valid by their schema', () => {
    for (const { revision, ...event } of journal) {
      const stored = { ...event, revision: BigInt(revision), position: '' };
      expect([event.type, decodeEvent(allEvents, stored)?.type]).toEqual([event.type, event.type]);
    }
  });

  describe('as a data directory', () => {
    const folder = dataDirectoryOf('events.db', 'views.db', 'network.db');
    let service: TestService;
    afterAll(() => service.stop());

    it('holds a run that was killed within a batch, and a snapshot of a long ledger', async () => {
      const events = await openSqliteEventStore({ path: join(folder, 'events.db') });
      const types: string[] = [];
      const run = `run-${stopped.workspaceId}_${stopped.runId}`;
      for await (const batch of events.readStream(run)) types.push(...batch.map(({ type }) => type));
      await events.close();
      expect(types.filter((type) => type !== 'SignalDetected')).toEqual([
        'RunStarted',
        'BatchPrepared',
        'BatchCompleted',
        'BatchPrepared',
      ]);
      const reads = await openSqliteReadStore({ path: join(folder, 'views.db') });
      const snapshot = await reads.getRecord('snapshot', `credits-${longLedger}`);
      await reads.close();
      expect(snapshot).not.toBeNull();
    });

    it('starts, and finishes the run from its position', async () => {
      service = await startOn(folder);
      await service.ops('work.drain');
      const authorization = `Bearer ${stopped.apiKey}`;
      const run = await service.call(`GET /api/v2/workspace/signal-runs/${stopped.runId}`, undefined, {
        authorization,
      });
      expect(run.body).toMatchObject({ stage: 'completed', matches_found: 120, credits_spent: 300 });
    });

    it('answers every query as then', () => expectStoredAnswers(service));

    it('has read models in which a replay finds no difference', () => expectVerified(service));

    it('answers the same from read models that are all rebuilt', async () => {
      const { status, body } = await service.ops('projections.rebuild');
      expect([status, body.ok]).toEqual([200, true]);
      await expectStoredAnswers(service);
    });

    it('OP-66 knows the keyed requests of then, and carries out the released one', async () => {
      const authorization = `Bearer ${keyed.apiKey}`;
      for (const { route, body, key, status, answer } of keyed.requests) {
        const again = await service.call(route, body, { authorization, 'idempotency-key': key });
        expect([route, again.status, again.body]).toEqual([route, status, answer]);
        expect([route, again.headers.get('idempotency-replayed')]).toEqual([route, 'true']);
      }
      const late = { type: 'unconfigured', name: 'Came late' };
      const released = { authorization, 'idempotency-key': 'released' };
      const done = await service.call('POST /api/v2/agents', late, released);
      expect([done.status, done.headers.get('idempotency-replayed')]).toEqual([201, null]);
    });

    it('continues the long ledger: an old key is the old movement, and the chain of hashes holds', async () => {
      const about = { workspace_id: longLedger };
      const hold = { ...about, key: 'work-0', credits: 1, product: 'export' };
      expect((await service.ops('credits.hold', hold)).body).toMatchObject({ replayed: true });
      expect((await service.ops('credits.hold', { ...hold, key: 'of today' })).body).toMatchObject({
        replayed: false,
      });
      expect((await service.ops('ledger.verify', about)).body).toMatchObject({ ok: true, differences: [] });
    });
  });

  describe('as a journal of its events', () => {
    const folder = dataDirectoryOf('network.db');
    let service: TestService;

    beforeAll(async () => {
      const store = await openSqliteEventStore({ path: join(folder, 'events.db') });
      await writeJournal(store);
      expect(await everythingAfter(store, '')).toHaveLength(journal.length);
      await store.close();
      service = await startOn(folder);
      await service.ops('work.drain');
    });
    afterAll(() => service.stop());

    it('replayed into an empty store answers every query as then', () => expectStoredAnswers(service));

    it('has read models in which a replay finds no difference', () => expectVerified(service));
  });
});
