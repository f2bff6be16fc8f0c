import { workspaceScoped, type CommandContext } from '#kernel/commands/decider.js';
import { shippedCatalogue } from '#domain/catalogue/catalogue-file.js';
import { creditAccount } from '#domain/credits/credit-account.js';
import { available } from '#domain/credits/books.js';
import { createPersona, personas } from '#domain/personas/personas.js';
import { distinctAccounts } from '#domain/top-accounts/account-keys.js';
import { submission, writeChunk } from '#domain/top-accounts/submission.js';
import { submitAccounts } from '#domain/top-accounts/submit-accounts.js';
import { topAccounts } from '#domain/top-accounts/top-accounts.js';
import { provision, workspace } from '#domain/workspaces/workspace.js';
import { applyCatalogue } from '#ops/catalogue/apply-catalogue.js';
import { mapTopAccounts } from '#processes/map-top-accounts.process.js';
import type { ProcessHost } from '#processes/process.js';
import { resolveTopAccounts } from '#processes/resolve-top-accounts.process.js';
import {
  accountPipelines,
  accountPipelinesKey,
  type AccountPipelinesDocument,
} from '#projections/account-pipelines/account-pipelines.projection.js';
import {
  accountSubmissions,
  accountSubmissionsKey,
  type AccountSubmissionsDocument,
} from '#projections/account-submissions/account-submissions.projection.js';
import { credits } from '#kernel/values/credits.js';
import { soon } from '../support/event-stores.js';
import { lifeUntil, type Life } from '../support/mortal.js';
import { employed, observedCompany, observedPerson } from '../support/observed-network.js';
import { openSignalHouse, type SignalHouse } from '../support/signal-house.js';

const NEVER = new AbortController().signal;
const HOUR_MS = 60 * 60 * 1_000;
const FRANCE = { geo: { city: 'Paris', country: 'France', country_code: 'FR' } };
const raise = (error: unknown): never => {
  throw error;
};

describe('the pipelines of top accounts, stopped at every point', () => {
  let house: SignalHouse;
  let commandsSent = 0;
  beforeAll(async () => {
    house = await openSignalHouse();
    await applyCatalogue(house.operator, shippedCatalogue(), false, { ...contextOf(1), workspaceId: null });
    await house.caughtUp();
    await house.ingest([
      observedCompany('acme'),
      observedPerson('ana', { ...employed('acme', 'VP Sales'), ...FRANCE }),
      observedPerson('bo', { ...employed('acme', 'Head of Sales'), ...FRANCE }),
    ]);
  });
  afterAll(() => house.close());

  const contextOf = (workspaceId: number): CommandContext => {
    const commandId = `accounts-${(commandsSent += 1)}`;
    return { commandId, actor: { kind: 'system', id: 'test' }, workspaceId, correlationId: commandId };
  };

  /** A workspace with so many credits that has submitted an account with two people, and one that nobody knows. */
  async function submitted(creditsGranted: number): Promise<number> {
    const { commands, ids } = house.operator;
    const workspaceId = await house.workspace({ mode: 'self' }, creditsGranted);
    const stream = String(workspaceId);
    const options = () => ({ context: contextOf(workspaceId), answer: () => null });
    const provisioning = { name: 'Test', topAccountListId: 1, employeeListId: 1, trialQuota: null };
    await commands.handle(workspace, stream, provision({ ...provisioning, accountMapping: true }), options());
    const now = house.now().toISOString();
    const facts = { jobTitle: ['Sales'], location: ['France'] };
    const persona = createPersona({ personaId: await ids.next('persona'), facts, now });
    await commands.handle(personas, stream, persona, options());
    const accounts = distinctAccounts([
      { networkUrl: 'https://www.network.example/company/acme', domain: null, tier: null },
      { networkUrl: 'https://www.network.example/company/nobody', domain: null, tier: null },
    ]);
    const submissionId = `submission-of-${workspaceId}`;
    const chunk = writeChunk({ submissionId, chunk: 0, accounts: accounts.map(({ account }) => account) });
    await commands.handle(submission, workspaceScoped(workspaceId, submissionId), chunk, options());
    const submit = submitAccounts({
      submissionId,
      submitted: 2,
      accounts: accounts.map(({ keys }) => keys),
      chunks: 1,
      quota: null,
      countries: ['FR'],
      submittedAt: now,
    });
    await commands.handle(topAccounts, stream, submit, options());
    return workspaceId;
  }

  const isDue = ({ dueAt }: AccountPipelinesDocument): boolean =>
    dueAt !== null && Date.parse(dueAt) <= house.now().getTime();

  /** Acts as long as anything is due in the workspace. */
  async function workOff(workspaceId: number, host: ProcessHost): Promise<void> {
    for (;;) {
      await house.caughtUp();
      const submissions = await house.reads.get<AccountSubmissionsDocument>(
        accountSubmissions,
        accountSubmissionsKey(workspaceId),
      );
      const pipelines = await house.reads.get<AccountPipelinesDocument>(
        accountPipelines,
        accountPipelinesKey(workspaceId),
      );
      if (submissions?.isDue === true) await resolveTopAccounts.act(host, submissions, NEVER);
      else if (pipelines !== null && isDue(pipelines)) await mapTopAccounts.act(host, pipelines, NEVER);
      else return;
    }
  }

  async function workUntil(
    workspaceId: number,
    fatalPoint: number,
  ): Promise<{ readonly died: boolean; readonly points: number }> {
    const life: Life = lifeUntil(fatalPoint);
    const done = workOff(workspaceId, house.worker(life)).then(() => 'done' as const);
    const end = await soon(`a worker that dies at ${fatalPoint}`, Promise.race([done, life.death]));
    done.catch(() => undefined);
    return { died: end === 'died', points: life.points() };
  }

  /** Types of the events of a stream, in order, with how often each came. */
  async function eventsOf(workspaceId: number) {
    const ofWorkspace = (await house.eventsAfter('')).filter(
      ({ metadata, stream }) =>
        metadata['workspaceId'] === String(workspaceId) && !stream.startsWith('sequence'),
    );
    const count = (type: string, where: (data: Record<string, unknown>) => boolean = () => true): number =>
      ofWorkspace.filter((event) => event.type === type && where(Object(event.data))).length;
    return { count };
  }

  const balanceOf = (workspaceId: number) =>
    house.operator.commands.load(creditAccount, String(workspaceId), ({ books }) => ({
      available: available(books),
      open: books.openHolds.size,
    }));

  /** P15: one account and two profiles are paid, nothing else; every request came to one end. */
  async function expectMappedOnce(workspaceId: number, granted: number): Promise<void> {
    await house.caughtUp();
    const { count } = await eventsOf(workspaceId);
    expect([
      count('TopAccountFound'),
      count('ContentRequestCreated'),
      count('ContentRequestCompleted'),
      count('ContentRequestFailed', ({ reason }) => reason === 'no_employee_resolved'),
      count('ContentRequestFailed'),
      count('MappingStarted'),
      count('MappingCompleted'),
      count('LeadRegistered'),
      count('CreditsCaptured'),
    ]).toEqual([2, 4, 3, 1, 1, 1, 1, 2, 3]);
    expect(await balanceOf(workspaceId)).toEqual({ available: credits(granted - 3), open: 0 });
    const ended = await house.reads.get<AccountPipelinesDocument>(
      accountPipelines,
      accountPipelinesKey(workspaceId),
    );
    expect(ended).toMatchObject({
      accounts: 2,
      open: 0,
      uncreated: 0,
      lookAfter: null,
      paused: null,
      dueAt: null,
    });
  }

  it('P15 INV-08 are paid for once and end once, wherever the worker died', async () => {
    const undisturbed = await submitted(10);
    const { died, points } = await workUntil(undisturbed, Infinity);
    expect(died).toBe(false);
    expect(points).toBeGreaterThan(100);
    await expectMappedOnce(undisturbed, 10);
    for (let fatalPoint = 1; fatalPoint <= points; fatalPoint += 1) {
      const workspaceId = await submitted(10);
      await workUntil(workspaceId, fatalPoint);
      expect((await workUntil(workspaceId, Infinity)).died).toBe(false);
      await expectMappedOnce(workspaceId, 10).catch((error: unknown) =>
        raise(new Error(`died at ${fatalPoint} of ${points}`, { cause: error })),
      );
    }
  });

  it('TAL-17 wait for credits without a charge, and go on after an hour, wherever the worker died', async () => {
    const undisturbed = await submitted(2);
    const { points } = await workUntil(undisturbed, Infinity);
    for (let fatalPoint = 1; fatalPoint <= points; fatalPoint += 1) {
      const workspaceId = await submitted(2);
      await workUntil(workspaceId, fatalPoint);
      expect((await workUntil(workspaceId, Infinity)).died).toBe(false);
      expect([fatalPoint, await balanceOf(workspaceId)]).toEqual([
        fatalPoint,
        { available: credits(2), open: 0 },
      ]);
      if (fatalPoint % 10 !== 0) continue;
      await house.grant(workspaceId, 1);
      house.advance(HOUR_MS);
      expect((await workUntil(workspaceId, Infinity)).died).toBe(false);
      await expectMappedOnce(workspaceId, 3);
    }
  });
});
