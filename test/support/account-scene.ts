import { credits } from '#kernel/values/credits.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import { available } from '#ledger/domain/books.js';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { createPersona, personas } from '#lists/domain/personas/personas.js';
import { distinctAccounts } from '#accounts/domain/top-accounts/account-keys.js';
import { submission, writeChunk } from '#accounts/domain/top-accounts/submission.js';
import { submitAccounts } from '#accounts/domain/top-accounts/submit-accounts.js';
import { topAccounts } from '#accounts/domain/top-accounts/top-accounts.js';
import { provision, workspace } from '#access/domain/workspaces/workspace.js';
import { applyCatalogue } from '#catalogue/commands/apply-catalogue.js';
import { mapTopAccounts } from '#runtime/processes.js';
import type { ProcessHost } from '#process-engine/process.js';
import { resolveTopAccounts } from '#accounts/top-accounts/resolve-top-accounts.process.js';
import {
  accountPipelines,
  accountPipelinesKey,
  type AccountPipelinesDocument,
} from '#projections/accounts/account-pipelines/account-pipelines.projection.js';
import {
  accountSubmissions,
  accountSubmissionsKey,
} from '#projections/accounts/account-submissions/account-submissions.projection.js';
import { untilDeath, type Lived } from './mortal.js';
import { IN_FRANCE, employed, observedCompany, observedPerson } from './observed-network.js';
import type { SignalHouse } from './signal-house.js';
import { systemContext } from './system-context.js';

const NEVER = new AbortController().signal;

/** The catalogue with its prices, and a company of two people who match a persona, once per house. */
export async function furnishAccounts(house: SignalHouse): Promise<void> {
  await applyCatalogue(house.operator, shippedCatalogue(), false, systemContext(null));
  await house.caughtUp();
  await house.ingest([
    observedCompany('acme'),
    observedPerson('ana', { ...employed('acme', 'VP Sales'), ...IN_FRANCE }),
    observedPerson('bo', { ...employed('acme', 'Head of Sales'), ...IN_FRANCE }),
  ]);
}

/** A workspace with credits and a persona that has submitted accounts. */
export async function submitted(
  house: SignalHouse,
  creditsGranted: number,
  handles: readonly string[] = ['acme', 'nobody'],
): Promise<number> {
  const workspaceId = await house.workspace({ mode: 'self' }, creditsGranted);
  const stream = String(workspaceId);
  const provisioning = { name: 'Test', topAccountListId: 1, employeeListId: 1, trialQuota: null };
  const provisioned = provision({ ...provisioning, accountMapping: true });
  await house.decide(workspaceId, workspace, stream, provisioned);
  const now = house.now().toISOString();
  const facts = { jobTitle: ['Sales'], location: ['France'] };
  const persona = createPersona({ personaId: await house.operator.ids.next('persona'), facts, now });
  await house.decide(workspaceId, personas, stream, persona);
  const accounts = distinctAccounts(
    handles.map((handle) => ({
      networkUrl: `https://www.network.example/company/${handle}`,
      domain: null,
      tier: null,
    })),
  );
  const submissionId = `submission-of-${workspaceId}`;
  const chunk = writeChunk({ submissionId, chunk: 0, accounts: accounts.map(({ account }) => account) });
  await house.decide(workspaceId, submission, workspaceScoped(workspaceId, submissionId), chunk);
  const submit = submitAccounts({
    submissionId,
    submitted: handles.length,
    accounts: accounts.map(({ keys }) => keys),
    chunks: 1,
    quota: null,
    countries: ['FR'],
    submittedAt: now,
  });
  await house.decide(workspaceId, topAccounts, stream, submit);
  return workspaceId;
}

export const pipelinesOf = async (
  house: SignalHouse,
  workspaceId: number,
): Promise<AccountPipelinesDocument | null> => {
  await house.caughtUp();
  return house.reads.get(accountPipelines, accountPipelinesKey(workspaceId));
};

/** Acts until nothing is due in the workspace. */
export async function workOffAccounts(
  house: SignalHouse,
  workspaceId: number,
  host: ProcessHost = house.worker(),
): Promise<void> {
  const isDue = ({ dueAt }: AccountPipelinesDocument): boolean =>
    dueAt !== null && Date.parse(dueAt) <= house.now().getTime();
  for (;;) {
    const pipelines = await pipelinesOf(house, workspaceId);
    const submissions = await house.reads.get(accountSubmissions, accountSubmissionsKey(workspaceId));
    if (submissions?.isDue === true) await resolveTopAccounts.act(host, submissions, NEVER);
    else if (pipelines !== null && isDue(pipelines)) await mapTopAccounts.act(host, pipelines, NEVER);
    else return;
  }
}

/** The same by a worker that dies at a point. */
export const workUntil = (house: SignalHouse, workspaceId: number, fatalPoint: number): Promise<Lived> =>
  untilDeath(fatalPoint, (life) => workOffAccounts(house, workspaceId, house.worker(life)));

/** The same by a worker that dies right after the first command with such an id. */
export async function workUntilAfter(
  house: SignalHouse,
  workspaceId: number,
  lastCommandId: RegExp,
): Promise<void> {
  const { died } = await untilDeath(Infinity, (life) => {
    const host = house.worker(life);
    const commands: ProcessHost['commands'] = {
      ...host.commands,
      async handle(decider, id, decision, options) {
        const handled = await host.commands.handle(decider, id, decision, options);
        if (lastCommandId.test(options.context.commandId)) life.kill();
        return handled;
      },
    };
    return workOffAccounts(house, workspaceId, { ...host, commands });
  });
  if (!died) throw new Error(`nothing was done that is ${lastCommandId}`);
}

/** The recorded events of a workspace, in order; sequences are left out. */
export async function recordedIn(house: SignalHouse, workspaceId: number) {
  const ofWorkspace = (await house.eventsOf(workspaceId)).filter(
    ({ stream }) => !stream.startsWith('sequence'),
  );
  const of = (type: string): readonly Record<string, unknown>[] =>
    ofWorkspace.filter((event) => event.type === type).map(({ data }) => data);
  const count = (type: string, where: (data: Record<string, unknown>) => boolean = () => true): number =>
    of(type).filter(where).length;
  return { of, count };
}

/** The spendable credits of the workspace, and the number of its open holds. */
export const fundsOf = (house: SignalHouse, workspaceId: number) =>
  house.operator.commands.load(creditAccount, String(workspaceId), ({ books }) => ({
    available: available(books),
    open: books.openHolds.size,
  }));

/** P15: of the accounts in `submitted` one account and two profiles are paid; every request ended once. */
export async function expectMappedOnce(
  house: SignalHouse,
  workspaceId: number,
  granted: number,
): Promise<void> {
  await house.caughtUp();
  const { count } = await recordedIn(house, workspaceId);
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
  expect(await fundsOf(house, workspaceId)).toEqual({ available: credits(granted - 3), open: 0 });
  const ended = await pipelinesOf(house, workspaceId);
  expect(ended).toMatchObject({
    accounts: 2,
    open: 0,
    uncreated: 0,
    lookAfter: null,
    paused: null,
    dueAt: null,
  });
}
