import { pause } from '#kernel/commands/retry.js';
import { refusal } from '#kernel/values/refusal.js';
import type { OperatorCommand, OperatorHost } from '#ops/support/operator-command.js';
import { checkCall, mayCall, requireRole, runCommand } from '#ops/support/run-command.js';
import { notingReads, stoppedNotes, type ReadViews } from '#ops/support/stopped-views.js';
import { operatorCommands } from '#runtime/operator-commands.js';
import { createJobs, type Job, type Jobs } from './jobs.js';
import type { Done, DoneElsewhere } from './page-answers.js';
import { progressWords } from './progress-words.js';
import { createSentForms, type SentForm } from './sent-forms.js';
import type { Session } from './sessions.js';

/** The context of a page: the commands, as the signed-in operator. */
export type Visit = {
  readonly session: Session;
  /** Product time. */
  readonly now: Date;
  /** Runs an operator command with the role of the operator. Throws its refusals. */
  readonly run: (command: string, input: object) => Promise<unknown>;
  /** What may be missing because read models are stopped that commands of this visit have read. */
  readonly stopped: () => Promise<readonly string[]>;
  /** Throws what `run` throws before it runs the command: a role that does not allow it, or invalid input. */
  readonly check: (command: string, input: object) => void;
  /** Throws if the session is that of a link to another workspace. */
  readonly requireWorkspace: (workspaceId: number) => void;
  /** Throws if the role or the link allows a command for no input, so that its page is 403 before anything is shown. */
  readonly requireMay: (command: string) => void;
  /** Whether the role of the operator allows a command. */
  readonly may: (command: string) => boolean;
  /** Starts a long command and returns the address of its progress. Throws what `check` throws, and `tooManyJobs`. */
  readonly begin: (
    command: string,
    input: object,
    words: { readonly title: string; readonly back: string },
  ) => string;
  /** The answer to a form of this session that was executed before; null for another one. */
  readonly sentBefore: (form: string) => Promise<Done | null>;
  /** The result of a form of this session that was executed before, without a secret; null for another one. */
  readonly resultOf: (form: string) => Promise<DoneElsewhere | null>;
  /** Executes a form of this session, unless it was executed before. */
  readonly once: (form: string, execute: () => Promise<SentForm>) => Promise<Done>;
  /** Long work of this process. Throws `unknownJob`, also for work that the role does not allow. */
  readonly job: (id: number) => Job;
  /** The running long work of this process that the role allows. */
  readonly jobs: () => readonly Job[];
};

/** The commands of signed-in operators, and the long work that they start in this process. */
export function createVisits(host: OperatorHost) {
  const jobs = createJobs();
  const forms = createSentForms(() => performance.now());
  const ofSession = ({ formToken }: Session, form: string): string => `${formToken} ${form}`;

  /** The long work with this id, if the role of the operator allows its command. */
  function jobOf(session: Session, id: number): Job {
    const job = jobs.find(id);
    if (job === null || !allows(session, job.command)) throw unknownJob();
    return job;
  }

  return {
    /** A visit of a signed-in operator; its commands belong to the request. */
    visitOf(session: Session, requestId: string): Visit {
      const read: ReadViews = new Map();
      return {
        session,
        now: host.clock.now(),
        stopped: () => stoppedNotes(host, read),
        async run(name, input) {
          requireOfLink(session, name, input);
          const call = { operator: session.operator, correlationId: requestId };
          return runCommand(notingReads(host, input, read), commandNamed(name), input, call);
        },
        check: (name, input) => {
          requireOfLink(session, name, input);
          checkCall(commandNamed(name), input, session.operator);
        },
        requireWorkspace: (workspaceId) => requireWorkspaceOfLink(session, workspaceId),
        requireMay(name) {
          requireCommandOfLink(session, name);
          requireRole(commandNamed(name), session.operator);
        },
        may: (name) => allows(session, name),
        begin(name, input, { title, back }) {
          const { operator } = session;
          requireOfLink(session, name, input);
          checkCall(commandNamed(name), input, operator);
          const begun = { command: name, input, title, back, operator: operator.name };
          const call = { operator, correlationId: requestId };
          const { id } = jobs.start({ ...begun, startedAt: host.clock.now().toISOString() }, (onProgress) =>
            runCommand(host, commandNamed(name), input, call, onProgress),
          );
          return `/console/progress/${id}`;
        },
        sentBefore: (form) => forms.find(ofSession(session, form)),
        resultOf: (form) => forms.resultOf(ofSession(session, form)),
        once: (form, execute) => forms.once(ofSession(session, form), execute),
        job: (id) => jobOf(session, id),
        jobs: () => jobs.running().filter(({ command }) => allows(session, command)),
      };
    },
    /** The progress of long work as server-sent events, until it ends or the process stops. Throws `unknownJob`. */
    progressOf: (session: Session, id: number): AsyncIterable<string> =>
      progressEvents(jobs, jobOf(session, id)),
    /** Releases all followers when the process stops. */
    end: (): void => jobs.end(),
  };
}

/** Whether the viewer may send a command, for some input at least. */
const allows = ({ operator, link }: Session, command: string): boolean =>
  link === undefined ? mayCall(commandNamed(command), operator) : LINK_COMMANDS.has(command);

/** The commands that an open link may run for its workspace: none of them changes anything. */
const LINK_COMMANDS: ReadonlySet<string> = new Set([
  'workspace.show',
  'ledger.statement',
  'ledger.as_of',
  'ledger.movement',
  'ledger.movements',
  'ledger.days',
  'ledger.export',
  'hold.list',
  'signal.list',
  'signal.show',
  'run.list',
  'run.show',
  'schedule.list',
  'monitoring.accounts',
  'monitoring.forecast',
  'credits.forecast',
  'credits.recurring.list',
  'caps.list',
]);

const linkOnlyReads = refusal({
  code: 'link-only-reads',
  kind: 'forbidden',
  detail: 'This link shows one workspace, and changes nothing.',
});

/** Throws `linkOnlyReads` if the session is that of a link and the link does not show this. */
export function requireOfLink(session: Session, command: string, input: object): void {
  requireCommandOfLink(session, command);
  requireWorkspaceOfLink(session, Reflect.get(input, 'workspace_id'));
}

function requireCommandOfLink({ link }: Session, command: string): void {
  if (link !== undefined && !LINK_COMMANDS.has(command)) throw linkOnlyReads();
}

function requireWorkspaceOfLink({ link }: Session, workspaceId: unknown): void {
  if (link !== undefined && workspaceId !== link.workspaceId) throw linkOnlyReads();
}

const BEAT_MS = 2_000;
const MOST_OFTEN_MS = 250;

async function* progressEvents(jobs: Jobs, begun: Job): AsyncGenerator<string> {
  const message = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
  for (let job: Job | null = begun; job !== null && !jobs.hasEnded(); job = jobs.find(begun.id)) {
    yield message({ ...progressWords(job.progress), ended: job.outcome !== null });
    if (job.outcome !== null) return;
    await pause(MOST_OFTEN_MS);
    await jobs.moved(job, BEAT_MS);
  }
}

const unknownJob = refusal({
  code: 'unknown-job',
  kind: 'missing',
  detail: 'This process does not know this work. Work is forgotten when the process stops: start it again.',
});

function commandNamed(name: string): OperatorCommand {
  const command = operatorCommands.find((each) => each.name === name);
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return command;
}
