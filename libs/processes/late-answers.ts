import { setTimeout as delay } from 'node:timers/promises';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import { list } from '#domain/lists/list.js';
import { recordLateAnswers, type LookedUpMember } from '#domain/lists/list-enrichment.js';
import { MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES } from '#domain/lists/member.events.js';
import {
  missedLookUps,
  type MissedLookUpDocument,
} from '#projections/missed-look-ups/missed-look-ups.projection.js';
import { lookUpProfiles } from './member-profiles.js';
import type { ProcessHost } from './process.js';

type LateAnswersHost = Pick<ProcessHost, 'commands' | 'readModels' | 'directory' | 'clock'>;

/** Looks up again whom the network did not know, whenever it has learned something since. */
export type LateAnswers = {
  /** Looks again if the network learned something since the last time; how many members have another answer now. */
  readonly catchUp: () => Promise<number>;
  /** Catches up by itself from now on. */
  readonly start: () => void;
  readonly stop: () => Promise<void>;
};

const PAGE = 500;
const LOOK_EVERY_MS = 1_000;
/** Of a network that learns without end no more than a tenth of the time is spent on looking. */
const REST_FACTOR = 9;
/** What was recorded longer ago has left the read model. */
const LATEST_PROJECTED_MS = 600_000;

/**
 * What was learned of whom is not told, so all who are missed are asked for; nothing is recorded of those of whom
 * there is nothing new. How much was learned at the last look is remembered by this worker alone: one that starts
 * looks once. Two workers that find the same send the same command.
 */
export function lateAnswers(host: LateAnswersHost, onError: (error: unknown) => void): LateAnswers {
  let seen = Number.NEGATIVE_INFINITY;
  let looking: Promise<unknown> = Promise.resolve();
  let loop: Promise<void> | null = null;
  const stopping = new AbortController();

  async function look(): Promise<number> {
    // Before the look: what is learned meanwhile is reason for another.
    const learned = await host.directory.learned();
    if (learned <= seen) return 0;
    let answered = 0;
    for (let after: readonly [number, number] | null = null; ;) {
      const people: readonly MissedLookUpDocument[] = await missedPage(host, after);
      answered += await recordAnswers(host, people);
      const last = people.at(-1);
      if (last === undefined || people.length < PAGE || stopping.signal.aborted) break;
      after = [last.workspaceId, last.memberId];
    }
    if (!stopping.signal.aborted) seen = learned;
    return answered;
  }

  /** One look at a time, whoever asks. */
  function catchUp(): Promise<number> {
    const mine = looking.then(look, look);
    looking = mine.catch(() => undefined);
    return mine;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const startedAtMs = performance.now();
      await catchUp().catch(onError);
      const restMs = Math.max(LOOK_EVERY_MS, REST_FACTOR * (performance.now() - startedAtMs));
      await delay(restMs, null, { signal: stopping.signal }).catch(() => null);
    }
  }

  return {
    catchUp,
    start() {
      loop ??= run();
    },
    async stop() {
      stopping.abort();
      await loop;
      await looking;
    },
  };
}

function missedPage(
  { readModels }: LateAnswersHost,
  after: readonly [number, number] | null,
): Promise<readonly MissedLookUpDocument[]> {
  return readModels.find<MissedLookUpDocument>(missedLookUps, {
    where: { missed: true },
    sort: [
      ['workspaceId', 'asc'],
      ['memberId', 'asc'],
    ],
    limit: PAGE,
    ...(after === null ? {} : { after }),
  });
}

/** Looks these people up and records whose answer is another than before, those of one batch together. */
async function recordAnswers(
  host: LateAnswersHost,
  people: readonly MissedLookUpDocument[],
): Promise<number> {
  const answers = await lookUpProfiles(host.directory, people);
  const batches = new Map<string, { readonly of: MissedLookUpDocument; readonly found: LookedUpMember[] }>();
  for (const [index, person] of people.entries()) {
    const answer = answers[index];
    if (answer === undefined || !isNews(person, answer)) continue;
    const key = `${person.workspaceId}_${person.listId}:${person.batch}`;
    const batch = batches.get(key) ?? { of: person, found: [] };
    batches.set(key, batch);
    batch.found.push(answer);
  }
  let recorded = 0;
  for (const { of, found } of batches.values()) {
    for (const piece of inPiecesOfBytes(found, MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES)) {
      await record(host, of, piece);
      recorded += piece.length;
    }
  }
  return recorded;
}

/** A profile is, and so is that the network, which knew nothing, now says that there is no such person. */
const isNews = (person: MissedLookUpDocument, { profile, unheardOf }: LookedUpMember): boolean =>
  profile !== null || (person.unheardOf && unheardOf === false);

async function record(
  { commands, clock }: LateAnswersHost,
  { workspaceId, listId, batch }: MissedLookUpDocument,
  found: readonly LookedUpMember[],
): Promise<void> {
  // Who is missing today may be found tomorrow: that is another command.
  const answers = found.map(({ memberId, profile }) => `${memberId}${profile === null ? '-' : '+'}`).join();
  const now = clock.now();
  const commandId = `enrich-late:${workspaceId}_${listId}:${batch}:${sha256Hex(answers)}`;
  await commands.handle(
    list,
    workspaceScoped(workspaceId, listId),
    recordLateAnswers({ batch, found, now: now.toISOString() }),
    {
      context: {
        commandId,
        actor: { kind: 'process', id: 'late-answers' },
        workspaceId,
        correlationId: commandId,
        // by another worker, or by this one before it was stopped: its event may not have been projected yet
        mayBeDoneSince: new Date(now.getTime() - LATEST_PROJECTED_MS).toISOString(),
      },
      answer: () => null,
      waitForReadModels: false,
    },
  );
}
