import { workspaceScoped } from '#kernel/commands/decider.js';
import { processContext } from '#kernel/commands/process-context.js';
import { credits } from '#kernel/values/credits.js';
import { StoreUnavailable } from '#kernel/ports/event-store.port.js';
import { contentRequest, fixOutcome } from '#accounts/domain/content-requests/content-request.js';
import { company, configurePipelines } from '#identities/domain/companies/company.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { setBillingMode, withdraw } from '#ledger/domain/post-credits.js';
import { settleRequest } from '#ledger/charging/settle-charges.js';
import { HOLD_LIFETIME_MS } from '#ledger/charging/expired-holds.js';
import { changePersona, personas } from '#lists/domain/personas/personas.js';
import { removeTopAccount, topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { block, setFeatures, unblock, workspace } from '#access/domain/workspaces/workspace.js';
import { mapTopAccounts } from '#runtime/processes.js';
import { isWaiting, type ProcessHost } from '#process-engine/process.js';
import { releaseRestedHolds } from '#runtime/processes.js';
import {
  fundsOf,
  furnishAccounts,
  pipelinesOf,
  recordedIn,
  submitted,
  workOffAccounts,
  workUntilAfter,
} from '../support/account-scene.js';
import { releaseRested } from '../support/mapping-scene.js';
import { IN_FRANCE, employed, observedCompany, observedPerson } from '../support/observed-network.js';
import { sharedHouse } from '../support/signal-house.js';
import { errorOf } from '../support/event-stores.js';

const NEVER = new AbortController().signal;
const HOUR_MS = 3_600_000;
const GRANTED = 10;
const STAGES = [
  'account_mapping_ready',
  'account_mapping_in_progress',
  'account_mapping_ingestion_ready',
  'account_mapping_ingestion_in_progress',
];

describe('the ends of top account requests', () => {
  const house = sharedHouse(furnishAccounts);

  /** The outcome of each request, the mapping first. */
  async function endsOf(workspaceId: number): Promise<readonly unknown[]> {
    const { of } = await recordedIn(house, workspaceId);
    const types = new Map(of('ContentRequestCreated').map(({ requestId, type }) => [requestId, type]));
    return [...of('ContentRequestCompleted'), ...of('ContentRequestFailed')]
      .map(({ requestId, reason = 'completed' }) => `${String(types.get(requestId))} ${String(reason)}`)
      .sort();
  }
  const ENDED = ['account_mapping completed', 'top_account_content completed'];
  const failed = (reason: string): readonly string[] => [`account_mapping ${reason}`, ENDED[1] ?? ''];

  /** The last step of the worker. */
  const LOOKED_UP = /^resolve:.*:record$/;
  const HELD = /:pay:hold-0:0$/;
  const PAID = /:in-progress$/;
  const PLANNED = /^content-request:.*:plan:/;
  const AT_IT = /:ingestion$/;

  /** The only account is being mapped for three credits, and the worker is dead. */
  async function diedAfter(lastStep: RegExp, handle = 'acme'): Promise<number> {
    const workspaceId = await submitted(house, GRANTED, [handle]);
    await workUntilAfter(house, workspaceId, lastStep);
    expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(GRANTED - 3), open: 3 });
    return workspaceId;
  }

  /** Every hold was released, or belongs to a recorded result. */
  async function expectPaid(workspaceId: number, spent: number): Promise<void> {
    expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(GRANTED - spent), open: 0 });
  }

  /** A live worker works for thirty hours: the request waits for its third credit, with no hold left open. */
  async function waitedThirtyHours(workspaceId: number): Promise<ProcessHost> {
    const host = house.worker();
    for (let hour = 0; hour < 30; hour += 1) {
      await workOffAccounts(house, workspaceId, host);
      house.advance(HOUR_MS);
    }
    await releaseRested(house, workspaceId);
    expect(await endsOf(workspaceId)).toEqual([]);
    expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(2), open: 0 });
    return host;
  }

  const decide = (workspaceId: number, decision: ReturnType<typeof block>) =>
    house.decide(workspaceId, workspace, String(workspaceId), decision);

  async function archivePersona(workspaceId: number): Promise<void> {
    const { of } = await recordedIn(house, workspaceId);
    const personaId = Number(of('PersonaCreated')[0]?.['personaId']);
    const now = house.now().toISOString();
    const archive = changePersona({ personaId, changes: {}, archived: true, now });
    await house.decide(workspaceId, personas, String(workspaceId), archive);
  }

  async function removeAccount(workspaceId: number): Promise<void> {
    const { of } = await recordedIn(house, workspaceId);
    const accountId = Number(of('TopAccountFound')[0]?.['accountId']);
    const remove = removeTopAccount({ accountId, now: house.now().toISOString() });
    await house.decide(workspaceId, topAccounts, String(workspaceId), remove);
  }

  it('OP-58 a request without progress for six hours of a live worker fails, and releases its holds', async () => {
    const workspaceId = await diedAfter(PAID);
    const host = house.worker();
    house.advance(6 * HOUR_MS + 1);
    await workOffAccounts(house, workspaceId, host);
    expect(await endsOf(workspaceId)).toEqual(failed('request_timed_out'));
    await expectPaid(workspaceId, 0);
  });

  it('OP-58 time without a live worker does not count', async () => {
    const workspaceId = await diedAfter(PAID);
    house.advance(6 * HOUR_MS + 1);
    await workOffAccounts(house, workspaceId, house.worker());
    expect(await endsOf(workspaceId)).toEqual(ENDED);
    await expectPaid(workspaceId, 3);
  });

  it('OP-52 OP-64 a request that waits for credits does not fail after six hours or a day', async () => {
    const workspaceId = await submitted(house, 2, ['acme']);
    const host = await waitedThirtyHours(workspaceId);
    await house.grant(workspaceId, GRANTED - 2);
    await workOffAccounts(house, workspaceId, host);
    expect(await endsOf(workspaceId)).toEqual(ENDED);
    await expectPaid(workspaceId, 3);
  });

  it('OP-52 a paid mapping whose company gains a person waits for credits without time-out, and is charged whole', async () => {
    const one = observedPerson('fay', { ...employed('gaining', 'VP Sales'), ...IN_FRANCE });
    await house.ingest([observedCompany('gaining'), one]);
    const workspaceId = await submitted(house, 2, ['gaining']);
    await workUntilAfter(house, workspaceId, PAID);
    await house.ingest([observedPerson('gil', { ...employed('gaining', 'VP Sales'), ...IN_FRANCE })]);
    const host = await waitedThirtyHours(workspaceId);
    await house.grant(workspaceId, 1);
    await workOffAccounts(house, workspaceId, host);
    expect(await endsOf(workspaceId)).toEqual(ENDED);
    expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(0), open: 0 });
  });

  it('OP-52 mappings that began when they were free wait for credits without time-out once they are not', async () => {
    await house.ingest([
      observedCompany('free'),
      observedPerson('flo', { ...employed('free', 'VP Sales'), ...IN_FRANCE }),
    ]);
    const workspaceId = await submitted(house, 0, ['acme', 'free']);
    const bill = (mode: 'exempt' | 'self') =>
      house.decide(workspaceId, creditAccount, String(workspaceId), setBillingMode({ mode }));
    await bill('exempt');
    await workUntilAfter(house, workspaceId, PLANNED);
    await bill('self');
    const host = house.worker();
    for (let hour = 0; hour < 30; hour += 1) {
      await workOffAccounts(house, workspaceId, host);
      house.advance(HOUR_MS);
    }
    expect(await endsOf(workspaceId)).toEqual([]);
    await house.grant(workspaceId, 5);
    await workOffAccounts(house, workspaceId, host);
    expect(await endsOf(workspaceId)).toEqual([ENDED[0], ...ENDED, ENDED[1]]);
    expect(await fundsOf(house, workspaceId)).toEqual({ available: 0n, open: 0 });
  });

  describe('OP-52 OP-58 OP-64 a paid mapping behind one that waits for credits', () => {
    const sales = (name: string, handle: string) =>
      observedPerson(name, { ...employed(handle, 'VP Sales'), ...IN_FRANCE });

    /** Two mappings are paid with all credits, the worker is dead, and the first one needs another credit. */
    async function bothPaid(first: string, second: string): Promise<number> {
      await house.ingest(
        [first, second].flatMap((handle) => [observedCompany(handle), sales(handle, handle)]),
      );
      const workspaceId = await submitted(house, 4, [first, second]);
      await workUntilAfter(house, workspaceId, PLANNED);
      expect(await fundsOf(house, workspaceId)).toEqual({ available: 0n, open: 4 });
      await house.ingest([sales(`${first}-more`, first)]);
      return workspaceId;
    }

    async function thirtyHours(workspaceId: number): Promise<ProcessHost> {
      const host = house.worker();
      for (let hour = 0; hour < 30; hour += 1) {
        await workOffAccounts(house, workspaceId, host);
        house.advance(HOUR_MS);
      }
      await releaseRested(house, workspaceId);
      return host;
    }

    it('is completed meanwhile', async () => {
      const workspaceId = await bothPaid('waits', 'paid');
      const host = await thirtyHours(workspaceId);
      expect(await endsOf(workspaceId)).toEqual([ENDED[0]]);
      expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(2), open: 0 });
      await house.grant(workspaceId, 1);
      await workOffAccounts(house, workspaceId, host);
      expect(await endsOf(workspaceId)).toEqual([ENDED[0], ...ENDED, ENDED[1]]);
      expect(await fundsOf(house, workspaceId)).toEqual({ available: 0n, open: 0 });
    });

    it('ends if its outcome was fixed and nothing of it is held any more', async () => {
      const workspaceId = await bothPaid('waits-again', 'settled');
      const { of } = await recordedIn(house, workspaceId);
      const ids = of('ContentRequestCreated').flatMap(({ requestId, type }) =>
        type === 'account_mapping' ? Number(requestId) : [],
      );
      const requestId = Math.max(...ids);
      const stream = workspaceScoped(workspaceId, requestId);
      const fixed = fixOutcome('internal_error', house.now().toISOString());
      await house.decide(workspaceId, contentRequest, stream, fixed);
      const context = (step: string) => processContext('test', workspaceId, `test:${requestId}:${step}`);
      await settleRequest(house.worker(), { workspaceId, context }, requestId, new Set());
      const taken = { movementId: 900_000 + requestId, key: 'taken', credits: credits(2), reason: 'test' };
      await house.decide(workspaceId, creditAccount, String(workspaceId), withdraw(taken));
      await workOffAccounts(house, workspaceId);
      expect(await endsOf(workspaceId)).toEqual(['account_mapping internal_error']);
    });

    it('waits too, without time-out, if its company gained a person', async () => {
      const workspaceId = await bothPaid('waits-too', 'gained');
      await house.ingest([sales('gained-more', 'gained')]);
      const host = await thirtyHours(workspaceId);
      // The credits that the second one gives back cover the first one.
      expect(await endsOf(workspaceId)).toEqual(ENDED);
      expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(1), open: 0 });
      await house.grant(workspaceId, 2);
      await workOffAccounts(house, workspaceId, host);
      expect(await endsOf(workspaceId)).toEqual([ENDED[0], ...ENDED, ENDED[1]]);
      expect(await fundsOf(house, workspaceId)).toEqual({ available: 0n, open: 0 });
    });
  });

  it('OP-64 a request that no worker continues fails after a day, and its holds are released', async () => {
    const workspaceId = await diedAfter(PLANNED);
    house.advance(HOLD_LIFETIME_MS - 1);
    await releaseRested(house, workspaceId);
    expect((await fundsOf(house, workspaceId)).open).toBe(3);
    house.advance(1);
    await releaseRested(house, workspaceId);
    await expectPaid(workspaceId, 0);
    await workOffAccounts(house, workspaceId);
    expect(await endsOf(workspaceId)).toEqual(failed('request_timed_out'));
    await expectPaid(workspaceId, 0);
    expect(await pipelinesOf(house, workspaceId)).toMatchObject({ open: 0, dueAt: null });
  });

  it('OP-64 LED-07 a worker whose holds end during its work records nothing that is not paid for', async () => {
    const workspaceId = await diedAfter(PLANNED);
    house.advance(HOLD_LIFETIME_MS);
    const host = house.worker();
    let isSwept = false;
    const commands: ProcessHost['commands'] = {
      ...host.commands,
      async handle(decider, ...about) {
        if (decider.category === 'mapping' && !isSwept) {
          isSwept = true;
          await releaseRested(house, workspaceId);
        }
        return host.commands.handle(decider, ...about);
      },
    };
    await workOffAccounts(house, workspaceId, { ...host, commands });
    expect(isSwept).toBe(true);
    expect(await endsOf(workspaceId)).toEqual(failed('request_timed_out'));
    const { count } = await recordedIn(house, workspaceId);
    expect([count('ProfilesMapped'), count('CreditsCaptured'), count('CreditsReleased')]).toEqual([0, 0, 3]);
    await expectPaid(workspaceId, 0);
  });

  it('OP-52 OP-64 a request waits in a blocked workspace, also for more than a day, and is completed after it', async () => {
    const workspaceId = await diedAfter(PLANNED);
    const isResting = async (): Promise<boolean> => {
      await house.caughtUp();
      return isWaiting(house.worker(), releaseRestedHolds, workspaceId);
    };
    expect(await isResting()).toBe(false);
    await decide(workspaceId, block('unpaid'));
    const host = house.worker();
    house.advance(2 * HOLD_LIFETIME_MS);
    expect(await isResting()).toBe(true);
    await workOffAccounts(house, workspaceId, host);
    expect(await endsOf(workspaceId)).toEqual([]);
    await decide(workspaceId, unblock('paid'));
    // Its holds are two days old, but it has another day from now on.
    house.advance(HOLD_LIFETIME_MS - 1);
    expect(await isResting()).toBe(true);
    house.advance(1);
    expect(await isResting()).toBe(false);
    await workOffAccounts(house, workspaceId, house.worker());
    expect(await endsOf(workspaceId)).toEqual(ENDED);
    await expectPaid(workspaceId, 3);
  });

  it('INV-08 MAP-47 a mapping whose outcome was fixed is completed, also if its account is removed and nothing is held', async () => {
    const workspaceId = await submitted(house, 0, ['acme']);
    await house.decide(workspaceId, creditAccount, String(workspaceId), setBillingMode({ mode: 'exempt' }));
    await workUntilAfter(house, workspaceId, /^content-request:.*:outcome$/);
    await removeAccount(workspaceId);
    await workOffAccounts(house, workspaceId);
    expect(await endsOf(workspaceId)).toContain('account_mapping completed');
    const { count } = await recordedIn(house, workspaceId);
    expect([count('ProfilesMapped'), count('MappingCompleted')]).toEqual([1, 1]);
  });

  describe('whose pipeline is switched off', () => {
    async function switchMapping(workspaceId: number, configuration: string): Promise<void> {
      const { of } = await recordedIn(house, workspaceId);
      const companyId = Number(of('TopAccountFound')[0]?.['companyId']);
      const switched = configurePipelines(companyId, new Map([['account_mapping', configuration]]));
      await house.decide(workspaceId, company, workspaceScoped(workspaceId, companyId), switched);
    }

    const OFF: readonly (readonly [string, (workspaceId: number) => Promise<void>])[] = [
      ['the company', (workspaceId) => switchMapping(workspaceId, 'disabled')],
      ['the workspace', (workspaceId) => decide(workspaceId, setFeatures({ accountMapping: false }))],
    ];

    it.each(OFF)('INV-08 OP-62 a mapping under way ends, and releases its holds: of %s', async (_, off) => {
      const workspaceId = await diedAfter(AT_IT);
      await off(workspaceId);
      await workOffAccounts(house, workspaceId);
      expect(await endsOf(workspaceId)).toEqual(failed('request_timed_out'));
      await expectPaid(workspaceId, 0);
      expect(await pipelinesOf(house, workspaceId)).toMatchObject({ open: 0, dueAt: null });
    });

    it('INV-08 OP-62 a mapping whose outcome was fixed ends with it', async () => {
      const workspaceId = await submitted(house, GRANTED, ['acme']);
      await workUntilAfter(house, workspaceId, /^content-request:.*:outcome$/);
      await switchMapping(workspaceId, 'disabled');
      await workOffAccounts(house, workspaceId);
      expect(await endsOf(workspaceId)).toEqual(ENDED);
      await expectPaid(workspaceId, 3);
    });

    it('OP-52 OP-62 a mapping that has not begun holds nothing, and continues when it is switched on', async () => {
      const workspaceId = await diedAfter(HELD);
      await switchMapping(workspaceId, 'disabled');
      await workOffAccounts(house, workspaceId);
      expect(await endsOf(workspaceId)).toEqual([ENDED[1]]);
      await expectPaid(workspaceId, 0);
      await switchMapping(workspaceId, 'enabled');
      await workOffAccounts(house, workspaceId);
      expect(await endsOf(workspaceId)).toEqual(ENDED);
      await expectPaid(workspaceId, 3);
    });
  });

  it('PER-15 OP-59 a request ends without people if its persona was archived before it began', async () => {
    const workspaceId = await submitted(house, GRANTED, ['acme']);
    await archivePersona(workspaceId);
    await workOffAccounts(house, workspaceId);
    expect(await endsOf(workspaceId)).toEqual(failed('persona_without_job_titles'));
    await expectPaid(workspaceId, 0);
  });

  it('PER-15 a request releases its holds if its persona was archived before its people were fixed', async () => {
    const workspaceId = await diedAfter(PAID);
    await archivePersona(workspaceId);
    await workOffAccounts(house, workspaceId);
    expect(await endsOf(workspaceId)).toEqual(failed('persona_without_job_titles'));
    await expectPaid(workspaceId, 0);
  });

  it('STM-12 a request analyses the people it began with, whatever is archived or learned since, and never goes back', async () => {
    await house.ingest([
      observedCompany('growing'),
      ...['one', 'two'].map((name) =>
        observedPerson(name, { ...employed('growing', 'VP Sales'), ...IN_FRANCE }),
      ),
    ]);
    const workspaceId = await diedAfter(AT_IT, 'growing');
    await house.ingest([observedPerson('three', { ...employed('growing', 'VP Sales'), ...IN_FRANCE })]);
    await archivePersona(workspaceId);
    await workOffAccounts(house, workspaceId);
    expect(await endsOf(workspaceId)).toEqual(ENDED);
    await expectPaid(workspaceId, 3);
    const { of } = await recordedIn(house, workspaceId);
    const stages = of('StageEntered')
      .map(({ stage }) => STAGES.indexOf(String(stage)))
      .filter((stage) => stage >= 0);
    expect(stages).toEqual(stages.toSorted());
  });

  describe('while the network is unavailable', () => {
    const away = (): ProcessHost => {
      const host = house.worker();
      const resolveCompanies = () => Promise.reject(new StoreUnavailable('the network is away'));
      return { ...host, directory: { ...host.directory, resolveCompanies } };
    };
    /** Processes all due work once. */
    async function tried(workspaceId: number): Promise<unknown> {
      const pipelines = await pipelinesOf(house, workspaceId);
      if (pipelines === null || pipelines.dueAt === null) throw new Error('nothing is to be done');
      return errorOf(mapTopAccounts.act(away(), pipelines, NEVER));
    }
    const ERROR = new Error('the network cannot be reached');

    it('OP-58 a request is retried, and ends with an internal error after ten failures', async () => {
      const workspaceId = await submitted(house, GRANTED, ['acme']);
      await workUntilAfter(house, workspaceId, LOOKED_UP);
      for (let tries = 1; tries <= 10; tries += 1) {
        expect(await endsOf(workspaceId)).toEqual([]);
        expect(await tried(workspaceId)).toEqual(ERROR);
      }
      expect(await endsOf(workspaceId)).toEqual([
        'account_mapping internal_error',
        'top_account_content internal_error',
      ]);
      await expectPaid(workspaceId, 0);
    });

    it('OP-58 a request continues at its stage when the network is back, with its holds', async () => {
      const workspaceId = await diedAfter(PAID);
      for (let tries = 1; tries <= 9; tries += 1) expect(await tried(workspaceId)).toEqual(ERROR);
      expect(await endsOf(workspaceId)).toEqual([]);
      await workOffAccounts(house, workspaceId);
      expect(await endsOf(workspaceId)).toEqual(ENDED);
      await expectPaid(workspaceId, 3);
    });
  });
});
