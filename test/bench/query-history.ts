import { randomUUID } from 'node:crypto';
import { creditAccount } from '#ledger/domain/credit-account.js';
import { chargeBatch, type Hold } from '#ledger/domain/hold-credits.js';
import { credits, toStored } from '#kernel/values/credits.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import type { NewEvent } from '#kernel/ports/event-store.port.js';
import type { SequenceKind } from '#kernel/commands/ids.js';
import type { JsonObject } from '#kernel/values/json.js';
import { inPieces } from '#kernel/values/pieces.js';
import { projections } from '#projections/index.js';
import {
  sampleCompanyFacts,
  sampleContentFacts,
  sampleDetection,
  sampleLaunch,
  sampleLeadFacts,
  sampleRunEnd,
} from '#projections/testing/sample-events.js';
import type { TestService } from '../support/service.js';

const DAY_MS = 86_400_000;
/** Days that a history covers, inside the ninety that stats and queries look back. */
const DAYS = 89;
const APPENDS_AT_ONCE = 400;
/** A maximum, so that the detections of a run are one append of bounded size. */
const MOST_A_RUN = 280;
/** As many as a run charges at once. */
const CHARGED_AT_ONCE = 50;
const CATCH_UP_MS = 900_000;
const PRICE = credits(10);

export type Source = { readonly kind: 'setup' | 'agent'; readonly id: number };

export type HistoryOptions = {
  readonly workspaceId: number;
  /** All run at the same times and take turns with their finds: any page has some of each. */
  readonly sources: readonly Source[];
  readonly detections: number;
  readonly start: Date;
};

/** The newest object of each kind in a history. */
export type History = {
  readonly runId: number;
  readonly leadId: number;
  readonly companyId: number;
  readonly contentId: number;
  readonly movementId: number;
};

type Match = { readonly number: number; readonly detectionId: number } & Omit<History, 'runId'>;

/**
 * Gives a workspace this many detections, each with its content and its paid movement, evenly over 89 days; a lead
 * has five of them and a company twenty. The events are those that the product writes, appended at full speed; only
 * the internal events of the runs are left out. Ends when the read models have caught up.
 */
export async function writeHistory(
  { service: { host } }: TestService,
  { workspaceId, sources, detections, start }: HistoryOptions,
): Promise<History> {
  const ids = (kind: SequenceKind, count: number) => host.ids.nextMany(kind, Math.ceil(count));
  const dayOf = (day: number): string => new Date(start.getTime() + day * DAY_MS).toISOString();
  const event = (type: string, data: object, recordedAt: string): NewEvent => ({
    id: randomUUID(),
    type,
    data: data as JsonObject,
    metadata: { ...metadataOf(workspaceId), recordedAt },
  });
  const appendNew = (streams: readonly Stream[]): Promise<void> =>
    inParallel(streams, ([stream, events]) => host.eventStore.append(stream, 'no-stream', events));

  const companyIds = await ids('company', detections / 20);
  const leadIds = await ids('lead', detections / 5);
  const companyOf = (lead: number): number => at(companyIds, lead);
  await appendNew([
    ...companyIds.map((id): Stream =>
      companyStream(workspaceId, id, (data) => event('CompanyRegistered', data, dayOf(0))),
    ),
    ...leadIds.map((id, lead): Stream =>
      leadStream(workspaceId, id, companyOf(lead), (data) => event('LeadRegistered', data, dayOf(0))),
    ),
  ]);

  const sourceOf = (number: number): Source =>
    // Every company is reached by each of them in the end.
    at(sources, number + Math.floor(number / companyIds.length));

  /** One run of each source, side by side: together they find these, taking turns. */
  async function runs(first: number, count: number, recordedAt: string): Promise<History> {
    const [detectionIds, contentIds, movementIds] = [
      await ids('detection', count),
      await ids('content', count),
      await ids('movement', count),
    ];
    const matches = detectionIds.map((detectionId, place): Match => {
      const number = first + place;
      const lead = number % leadIds.length;
      return {
        number,
        detectionId,
        leadId: at(leadIds, lead),
        companyId: companyOf(lead),
        contentId: at(contentIds, place),
        movementId: at(movementIds, place),
      };
    });
    const newest = at(matches, matches.length - 1);
    let runId = 0;
    for (const source of sources) {
      const found = matches.filter(({ number }) => sourceOf(number) === source);
      const itsRun = await run(source, found, recordedAt);
      if (found.includes(newest)) runId = itsRun;
    }
    return { runId, ...newest };
  }

  async function run(source: Source, matches: readonly Match[], recordedAt: string): Promise<number> {
    const [launchId, runId] = [await host.ids.next('launch'), await host.ids.next('run')];
    if (matches.length === 0) return runId;
    const launched = { launchId, runId, source };
    for (const charged of inPieces(matches, CHARGED_AT_ONCE)) {
      await host.commands.handle(
        creditAccount,
        String(workspaceId),
        chargeBatch(charged.map((match) => chargeOf(launched, match))),
        { context: contextOf(workspaceId), waitForReadModels: false },
      );
    }
    await appendNew([
      ...matches.map((match): Stream => [
        `contentIdentity-${workspaceScoped(workspaceId, match.contentId)}`,
        [event('ContentCaptured', contentOf(match), recordedAt)],
      ]),
      [
        `run-${workspaceScoped(workspaceId, runId)}`,
        matches.map((match) => event('SignalDetected', detectionOf(launched, match, recordedAt), recordedAt)),
      ],
    ]);
    const stream = `${source.kind}-${workspaceScoped(workspaceId, source.id)}`;
    const direction = [{ runId, direction: 'single' as const }];
    await appendBehind(stream, [
      event('RunLaunched', sampleLaunch({ launchId, source, runs: direction, now: recordedAt }), recordedAt),
      event(
        'RunEnded',
        sampleRunEnd({ launchId, runId, matchesFound: matches.length, endedAt: recordedAt }),
        recordedAt,
      ),
    ]);
    return runId;
  }

  async function appendBehind(stream: string, events: readonly NewEvent[]): Promise<void> {
    for await (const [last] of host.eventStore.readStream(stream, { direction: 'backwards', maxCount: 1 })) {
      if (last !== undefined) await host.eventStore.append(stream, last.revision, events);
    }
  }

  const perDay = Math.ceil(detections / DAYS);
  const atOnce = Math.min(perDay, MOST_A_RUN * sources.length);
  let newest: History | null = null;
  for (let first = 0; first < detections; first += atOnce) {
    const recordedAt = dayOf(Math.floor(first / perDay));
    await host.manualClock?.set(new Date(recordedAt));
    newest = await runs(first, Math.min(atOnce, detections - first), recordedAt);
  }
  if (newest === null) throw new Error('a history has at least one detection');
  await caughtUp(host);
  return newest;
}

type Stream = readonly [name: string, events: readonly NewEvent[]];
type Launched = { readonly launchId: number; readonly runId: number; readonly source: Source };

const subjectOf = ({ contentId }: Match): string => `post:${contentId}`;
const sourceIdOf = ({ kind, id }: Source) => (kind === 'setup' ? { setupId: id } : { agentId: id });

function companyStream(workspaceId: number, companyId: number, event: (data: object) => NewEvent): Stream {
  const name = `company-${companyId}`;
  const facts = sampleCompanyFacts({ name, network_handle: name, domain: `${name}.com` });
  const identity = `handle:${name}`;
  return [`companyIdentity-${workspaceId}_${name}`, [event({ companyId, identity, rev: 1, facts })]];
}

function leadStream(
  workspaceId: number,
  leadId: number,
  companyId: number,
  event: (data: object) => NewEvent,
): Stream {
  const name = `lead-${leadId}`;
  const facts = sampleLeadFacts({ network_handle: name });
  const identity = `handle:${name}`;
  return [`leadIdentity-${workspaceId}_${name}`, [event({ leadId, identity, rev: 1, facts, companyId })]];
}

function contentOf(match: Match): object {
  const { contentId, leadId, companyId } = match;
  return { contentId, ref: subjectOf(match), type: 'post', facts: sampleContentFacts(), leadId, companyId };
}

function chargeOf({ launchId, runId, source }: Launched, match: Match): Hold {
  const { movementId, companyId } = match;
  const subject = subjectOf(match);
  return {
    movementId,
    key: `launch:${launchId}:${subject}`,
    credits: PRICE,
    product: source.kind === 'setup' ? 'discovery_essential' : 'keyword_match',
    cause: { kind: 'signal', launchId, runId, ...sourceIdOf(source), subject, companyId },
  };
}

function detectionOf({ launchId, runId, source }: Launched, match: Match, signalDate: string): object {
  const { number, ...ids } = match;
  const { agentId: _sample, ...detection } = sampleDetection({ ...ids, launchId, runId, signalDate });
  return {
    ...detection,
    ...sourceIdOf(source),
    credits: toStored(PRICE),
    subject: subjectOf(match),
    leadCountry: `Country ${number % 40}`,
    leadCity: `City ${number % 800}`,
  };
}

async function caughtUp(host: TestService['service']['host']): Promise<void> {
  const types = [...new Set(projections.flatMap(({ on }) => Object.keys(on)))];
  const position = await host.eventStore.head();
  if (!(await host.progress.reached({ position, types, workspaceId: null }, CATCH_UP_MS))) {
    throw new Error('the read models did not catch up');
  }
}

async function inParallel<Work>(all: readonly Work[], act: (work: Work) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < all.length; first += APPENDS_AT_ONCE) {
    await Promise.all(all.slice(first, first + APPENDS_AT_ONCE).map(act));
  }
}

const metadataOf = (workspaceId: number) => ({
  workspaceId: String(workspaceId),
  actorKind: 'process',
  actorId: 'bench',
  commandId: randomUUID(),
  correlationId: 'bench',
  schemaVersion: '1',
});

const contextOf = (workspaceId: number) => ({
  commandId: randomUUID(),
  actor: { kind: 'process', id: 'bench' } as const,
  workspaceId,
  correlationId: 'bench',
});

function at<Value>(values: readonly Value[], place: number): Value {
  const value = values[place % values.length];
  if (value === undefined) throw new Error('there is nothing to take from');
  return value;
}
