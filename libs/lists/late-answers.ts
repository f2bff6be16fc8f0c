import { eachPage } from '#kernel/projections/each-page.js';
import { workspaceScoped } from '#kernel/commands/decider.js';
import { processContext } from '#kernel/commands/process-context.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import { list } from './domain/lists/list.js';
import { recordLateAnswers, type LookedUpMember } from './domain/lists/list-enrichment.js';
import { MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES } from './domain/lists/member.events.js';
import {
  missedLookUps,
  type MissedLookUpDocument,
} from '#projections/lists/missed-look-ups/missed-look-ups.projection.js';
import { lookUpProfiles } from './member-profiles.js';
import { networkFollower, type CheckApart, type NetworkFollower } from '#process-engine/network-follower.js';
import type { ProcessHost } from '#process-engine/process.js';

type LateAnswersHost = Pick<ProcessHost, 'commands' | 'readModels' | 'directory' | 'clock' | 'isParked'>;

const PAGE = 500;
/** The read model no longer has members whose look-up was recorded longer ago. */
const LATEST_PROJECTED_MS = 600_000;

/**
 * Looks up the members without a profile again after the network has received new observations. The network does not
 * name the people of its observations, so every member without a profile is looked up; only a changed answer is recorded. Two
 * workers that find the same send the same command. Returns the number of members whose answer changed.
 */
export function lateAnswers(host: LateAnswersHost, onError: (error: unknown) => void): NetworkFollower {
  return networkFollower(host, {
    onError,
    waitsFor: [missedLookUps.name],
    async look(signal, apart) {
      let answered = 0;
      const pages = eachPage(host.readModels, missedLookUps, {
        where: { missed: true },
        sort: [
          ['workspaceId', 'asc'],
          ['memberId', 'asc'],
        ],
        limit: PAGE,
      });
      for await (const people of pages) {
        answered += await recordAnswers(host, people, apart);
        if (signal.aborted) break;
      }
      return answered;
    },
  });
}

/** Looks these people up and records the changed answers, those of one batch in one command. */
async function recordAnswers(
  host: LateAnswersHost,
  people: readonly MissedLookUpDocument[],
  apart: CheckApart,
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
    recorded += await apart(of.workspaceId, async () => {
      for (const piece of inPiecesOfBytes(found, MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES))
        await record(host, of, piece);
      return found.length;
    });
  }
  return recorded;
}

/** An answer has changed if it is a profile, or "no such person" after "no observation". */
const isNews = (person: MissedLookUpDocument, { profile, unheardOf }: LookedUpMember): boolean =>
  profile !== null || (person.unheardOf && unheardOf === false);

async function record(
  { commands, clock }: LateAnswersHost,
  { workspaceId, listId, batch }: MissedLookUpDocument,
  found: readonly LookedUpMember[],
): Promise<void> {
  // The command id includes the answer: a person who is not found now may be found later by another command.
  const answers = found.map(({ memberId, profile }) => `${memberId}${profile === null ? '-' : '+'}`).join();
  const now = clock.now();
  const commandId = `enrich-late:${workspaceId}_${listId}:${batch}:${sha256Hex(answers)}`;
  await commands.handle(
    list,
    workspaceScoped(workspaceId, listId),
    recordLateAnswers({ batch, found, now: now.toISOString() }),
    {
      context: {
        ...processContext('late-answers', workspaceId, commandId),
        // by another worker, or by this one before it was stopped: its event may not have been projected yet
        mayBeDoneSince: new Date(now.getTime() - LATEST_PROJECTED_MS).toISOString(),
      },
      waitForReadModels: false,
    },
  );
}
