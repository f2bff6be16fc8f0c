import { eachPage } from '#kernel/projections/each-page.js';
import { workspaceScoped, type Decision } from '#kernel/commands/decider.js';
import { processContext } from '#kernel/commands/process-context.js';
import { sha256Hex } from '#kernel/values/hash.js';
import { inPiecesOfBytes } from '#kernel/values/pieces.js';
import { list } from './domain/lists/list.js';
import { recordLateAnswers, recordNames, type LookedUpMember } from './domain/lists/list-enrichment.js';
import type { List } from './domain/lists/list-state.js';
import type { listEvents } from './domain/lists/list.events.js';
import { MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES } from './domain/lists/member.events.js';
import {
  listMembers,
  type ListMemberDocument,
} from '#projections/lists/list-members/list-members.projection.js';
import {
  missedLookUps,
  type MissedLookUpDocument,
} from '#projections/lists/missed-look-ups/missed-look-ups.projection.js';
import { lookUpNames, lookUpProfiles } from './member-profiles.js';
import { networkFollower, type CheckApart, type NetworkFollower } from '#process-engine/network-follower.js';
import type { ProcessHost } from '#process-engine/process.js';

type LateAnswersHost = Pick<ProcessHost, 'commands' | 'readModels' | 'directory' | 'clock' | 'isParked'>;

const PAGE = 500;
/** The read model no longer has members whose look-up was recorded longer ago. */
const LATEST_PROJECTED_MS = 600_000;

/**
 * Looks up the people without a profile and the companies without a name again after the network has received new
 * observations. The network does not say whom its observations are about, so all of them are looked up; only a changed
 * answer is recorded. Two workers that find the same send the same command. Returns the number of members whose answer
 * changed.
 */
export function lateAnswers(host: LateAnswersHost, onError: (error: unknown) => void): NetworkFollower {
  return networkFollower(host, {
    onError,
    waitsFor: [missedLookUps.name, listMembers.name],
    async look(signal, apart) {
      let answered = 0;
      const people = eachPage(host.readModels, missedLookUps, {
        where: { missed: true },
        sort: [
          ['workspaceId', 'asc'],
          ['memberId', 'asc'],
        ],
        limit: PAGE,
      });
      for await (const page of people) {
        answered += await recordProfiles(host, page, apart);
        if (signal.aborted) return answered;
      }
      const companies = eachPage(host.readModels, listMembers, {
        where: { isUnnamed: true },
        sort: [
          ['workspaceId', 'asc'],
          ['id', 'asc'],
        ],
        limit: PAGE,
      });
      for await (const page of companies) {
        answered += await recordNamesOf(host, page, apart);
        if (signal.aborted) return answered;
      }
      return answered;
    },
  });
}

/** Looks these people up and records the changed answers, those of one batch in one command. */
async function recordProfiles(
  host: LateAnswersHost,
  people: readonly MissedLookUpDocument[],
  apart: CheckApart,
): Promise<number> {
  const profiles = await lookUpProfiles(host.directory, people);
  const news = people.flatMap((about, index) => {
    const answer = profiles[index];
    return answer !== undefined && isNews(about, answer) ? [{ about, answer }] : [];
  });
  return recordEach(host, apart, news, {
    groupOf: ({ workspaceId, listId, batch }) => `enrich-late:${workspaceId}_${listId}:${batch}`,
    // The command id includes the answer: a person who is not found now may be found later by another command.
    stepOf: ({ memberId, profile }) => `${memberId}${profile === null ? '-' : '+'}`,
    decide: ({ batch }, found, now) => recordLateAnswers({ batch, found, now }),
  });
}

/** An answer has changed if it is a profile, or "no such person" after "no observation". */
const isNews = (person: MissedLookUpDocument, { profile, unheardOf }: LookedUpMember): boolean =>
  profile !== null || (person.unheardOf && unheardOf === false);

/** Looks these companies up and records the names, those of one list in one command. */
async function recordNamesOf(
  host: LateAnswersHost,
  companies: readonly ListMemberDocument[],
  apart: CheckApart,
): Promise<number> {
  const names = await lookUpNames(host.directory, companies);
  const news = companies.flatMap((about, index) => {
    const answer = names[index] ?? null;
    return answer === null ? [] : [{ about, answer }];
  });
  return recordEach(host, apart, news, {
    groupOf: ({ workspaceId, listId }) => `name-late:${workspaceId}_${listId}`,
    stepOf: ({ memberId }) => String(memberId),
    decide: (_list, named, now) => recordNames({ named, now }),
  });
}

type OnList = { readonly workspaceId: number; readonly listId: number };

type Recording<About, Answer> = {
  /** What one command records, as the beginning of its id. */
  readonly groupOf: (about: About) => string;
  /** One answer in the command id. */
  readonly stepOf: (answer: Answer) => string;
  readonly decide: (
    about: About,
    answers: readonly Answer[],
    now: string,
  ) => Decision<List, typeof listEvents>;
};

/** Records the new answers, by group. Returns their number. */
async function recordEach<About extends OnList, Answer>(
  host: LateAnswersHost,
  apart: CheckApart,
  news: readonly { readonly about: About; readonly answer: Answer }[],
  recording: Recording<About, Answer>,
): Promise<number> {
  const groups = new Map<string, { readonly about: About; readonly answers: Answer[] }>();
  for (const { about, answer } of news) {
    const key = recording.groupOf(about);
    const group = groups.get(key) ?? { about, answers: [] };
    groups.set(key, group);
    group.answers.push(answer);
  }
  let recorded = 0;
  for (const { about, answers } of groups.values()) {
    recorded += await apart(about.workspaceId, async () => {
      for (const piece of inPiecesOfBytes(answers, MAX_MEMBERS_AT_ONCE, MAX_PIECE_BYTES))
        await record(host, about, piece, recording);
      return answers.length;
    });
  }
  return recorded;
}

async function record<About extends OnList, Answer>(
  { commands, clock }: LateAnswersHost,
  about: About,
  answers: readonly Answer[],
  { groupOf, stepOf, decide }: Recording<About, Answer>,
): Promise<void> {
  const { workspaceId, listId } = about;
  const now = clock.now();
  const commandId = `${groupOf(about)}:${sha256Hex(answers.map(stepOf).join())}`;
  const decision = decide(about, answers, now.toISOString());
  await commands.handle(list, workspaceScoped(workspaceId, listId), decision, {
    context: {
      ...processContext('late-answers', workspaceId, commandId),
      // by another worker, or by this one before it was stopped: its event may not have been projected yet
      mayBeDoneSince: new Date(now.getTime() - LATEST_PROJECTED_MS).toISOString(),
    },
    waitForReadModels: false,
  });
}
