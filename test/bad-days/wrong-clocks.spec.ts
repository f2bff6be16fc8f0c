import { creditAccount } from '#ledger/domain/credit-account.js';
import { grant } from '#ledger/domain/post-credits.js';
import { createCommands } from '#kernel/commands/commands.js';
import { credits } from '#kernel/values/credits.js';
import type { Lease } from '#kernel/ports/read-store.port.js';
import type { ClaimedRequest } from '#http/idempotency.js';
import { PARTITIONS } from '#kernel/events/workspace-partition.js';
import { partitionLease } from '#process-engine/partitions.js';
import { keyedRequests } from '#keyed-requests/keyed-requests.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { eventsOf, soon } from '#test/support/event-stores.js';
import { startTestService, type TestService, type TestWorkspace } from '#test/support/service.js';
import { uncountedKeys } from '#test/support/uncounted-keys.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** How far the clock of the second process is ahead. */
const SKEW_MS = 5 * MINUTE_MS;

describe('a process whose clock is five minutes ahead', () => {
  let trueMs = Date.parse('2026-06-01T10:00:00.000Z');
  const right = { now: () => new Date(trueMs) };
  const ahead = { now: () => new Date(trueMs + SKEW_MS) };
  let fast: TestService;
  let sound: TestService;
  let soundWorker: TestService | undefined;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    // At first only the process with the wrong clock does due work.
    fast = await startTestService({}, undefined, { clock: ahead });
    sound = await startTestService({ ROLES: 'api' }, fast.dataDirectory, { clock: right });
    workspace = await sound.workspace({ credits: 1_000 });
  });
  afterAll(async () => {
    await soundWorker?.service.stop();
    await sound.service.stop();
    await fast.stop();
  });

  const events = () => sound.service.host.eventStore;
  const leases = (): Promise<readonly (Lease | null)[]> =>
    Promise.all(
      Array.from({ length: PARTITIONS }, (_, partition) =>
        sound.service.host.stores.reads.lease(partitionLease(partition)),
      ),
    );
  const epochs = async (): Promise<unknown> => (await leases()).map((lease) => [lease?.holder, lease?.epoch]);
  const drained = async (service: TestService | undefined): Promise<number> => {
    const answer = await soon('the drain', (service ?? fast).ops('work.drain'));
    expect(answer.status).toBe(200);
    return answer.body.processed;
  };

  const hold = async (service: TestService, of: TestWorkspace, key: string): Promise<void> => {
    const input = { workspace_id: of.id, key, credits: 3, product: 'match' };
    expect((await service.ops('credits.hold', input)).status).toBe(200);
  };
  const heldCredits = async (of: TestWorkspace): Promise<number> =>
    (await of.call('GET /api/v3/credits/balance')).body.data.held;

  it('LED-09 is never followed by an earlier record in a stream: the time of an entry is the later of the last and now', async () => {
    const give = (service: TestService) =>
      service.ops('credits.grant', { workspace_id: workspace.id, credits: 1, reason: 'test' });
    for (const service of [sound, fast, sound, fast, sound]) {
      expect((await give(service)).status).toBe(200);
      trueMs += MINUTE_MS;
    }
    trueMs += SKEW_MS;
    expect((await give(sound)).status).toBe(200);
    const times = (await eventsOf(events(), `credits-${workspace.id}`)).map(
      ({ metadata }) => metadata['recordedAt'] ?? '',
    );
    expect(times).toEqual(times.toSorted());
    expect(times.at(-1)).toBe(right.now().toISOString());
    // The time of the fast process stays until the right clock has passed it.
    expect(times.at(-2)).toBe(times.at(-3));
    const verified = await sound.ops('ledger.verify', { workspace_id: workspace.id });
    expect(verified.body).toMatchObject({ ok: true });
  });

  it('ends a hold early by at most the error of its clock, and launches a schedule once for both', async () => {
    await soon(
      'the leases',
      eventually(async () => !(await leases()).includes(null)),
    );
    const before = await epochs();
    const own = await sound.workspace({ credits: 100 });
    await hold(sound, own, 'early');
    const heldAtMs = trueMs;
    const { body } = await own.call('POST /api/v2/agents', {
      type: 'keyword_post_search',
      parameters: { tracking_keywords: ['clocks'] },
      schedule: { cadence: 'weekly' },
    });
    const stream = `agent-${own.id}_${body.data.id}`;
    const launches = async (): Promise<number> =>
      (await eventsOf(events(), stream)).filter(({ type }) => type === 'RunLaunched').length;

    trueMs = heldAtMs + DAY_MS - SKEW_MS - 1;
    await drained(fast);
    expect(await heldCredits(own)).toBe(3);
    trueMs += 1;
    await drained(fast);
    expect(await heldCredits(own)).toBe(0);

    trueMs = heldAtMs + 7 * DAY_MS - SKEW_MS - 1;
    await drained(fast);
    expect(await launches()).toBe(0);
    trueMs += 1;
    await drained(fast);
    expect(await launches()).toBe(1);
    // A week of product time: the lease does not expire.
    expect(await epochs()).toEqual(before);

    // The other process leads now and reaches the same time once more.
    await fast.service.host.runner.stop();
    soundWorker = await startTestService({}, fast.dataDirectory, { clock: right });
    await soon(
      'the other worker',
      eventually(async () => !(await leases()).includes(null)),
    );
    for (const moment of [heldAtMs + 7 * DAY_MS, heldAtMs + 7 * DAY_MS + SKEW_MS]) {
      trueMs = moment;
      await drained(soundWorker);
      expect(await launches()).toBe(1);
    }
    trueMs = heldAtMs + 14 * DAY_MS;
    await drained(soundWorker);
    expect(await launches()).toBe(2);
  });

  it('makes its own holds end late by the error of its clock, when the other process ends them', async () => {
    const own = await sound.workspace({ credits: 100 });
    await hold(fast, own, 'late');
    const heldAtMs = trueMs;
    for (const [sinceMs, held] of [
      [DAY_MS, 3],
      [DAY_MS + SKEW_MS - 1, 3],
      [DAY_MS + SKEW_MS, 0],
    ] as const) {
      trueMs = heldAtMs + sinceMs;
      await drained(soundWorker);
      expect([sinceMs, await heldCredits(own)]).toEqual([sinceMs, held]);
    }
    const types = (await eventsOf(events(), `credits-${own.id}`)).map(({ type }) => type);
    expect(types.filter((type) => type === 'CreditsReleased')).toHaveLength(1);
  });

  it('OP-66 carries a request with a key out once, whichever of the two takes it over from the other', async () => {
    const { ids, progress, eventStore } = sound.service.host;
    const stream = `credits-${workspace.id}`;
    const granted = async (): Promise<number> =>
      (await eventsOf(eventStore, stream)).filter(({ type }) => type === 'CreditsGranted').length;
    /** A newly started process, on its own host. */
    const processOn = (host: string, clock: typeof right) => {
      const commands = createCommands({ eventStore, clock, progress });
      const nowMs = (): number => clock.now().getTime();
      return keyedRequests({ commands, ids, clock, liveKeys: uncountedKeys, holder: `${host}:1:x`, nowMs });
    };
    const ask = (keyed: ReturnType<typeof processOn>, key: string) =>
      keyed.claims({ workspaceId: workspace.id, apiKeyId: 1, requestId: 'test', key, requestHash: 'h' });
    const carryOut = (keyed: ReturnType<typeof processOn>, claimed: ClaimedRequest): Promise<unknown> =>
      new Promise((resolve, reject) => {
        claimed.within(() => {
          const { commandId, mayBeDone } = claimed;
          const actor = { kind: 'apiKey', id: '1' } as const;
          const context = {
            commandId,
            ...mayBeDone,
            actor,
            workspaceId: workspace.id,
            correlationId: 'test',
          };
          // Without a ledger key: only the command id prevents a repetition.
          const decision = keyed.ids
            .next('movement')
            .then((movementId) => grant({ movementId, credits: credits(1), reason: 'keyed' }));
          decision
            .then((decided) =>
              keyed.commands.handle(creditAccount, String(workspace.id), decided, {
                context,
              }),
            )
            .then(resolve, reject);
        });
      });

    for (const [index, order] of [
      [ahead, right, ahead],
      [right, ahead, right],
    ].entries()) {
      const before = await granted();
      const key = `skewed-${index}`;
      trueMs += DAY_MS;
      for (const [attempt, clock] of order.entries()) {
        const host = clock === right ? 'sound' : 'fast';
        let claimed = await ask(processOn(host, clock), key);
        // A lease of another host lasts for a minute by the clock of the reader.
        if (claimed.kind === 'running') trueMs += SKEW_MS + 2 * MINUTE_MS;
        const keyed = processOn(host, clock);
        if (claimed.kind === 'running') claimed = await ask(keyed, key);
        if (claimed.kind !== 'claimed') throw new Error(`${claimed.kind} instead of claimed`);
        // The first gives up before it has done anything, the second dies after it, the third answers.
        if (attempt === 0) await claimed.release();
        else await carryOut(keyed, claimed);
        if (attempt === 2) await claimed.keep({ status: 200, headers: {}, body: '{}' });
        trueMs += 1_000;
        expect([key, attempt, (await granted()) - before]).toEqual([key, attempt, Math.min(attempt, 1)]);
      }
      expect(await ask(processOn('sound', right), key)).toMatchObject({ kind: 'answered' });
    }
  });
});
