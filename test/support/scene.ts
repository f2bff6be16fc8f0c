import type { StoredEvent } from '#kernel/ports/event-store.port.js';
import type { Outside } from '#runtime/outside.js';
import { eventsOf } from './event-stores.js';
import { late } from './late.js';
import { addTo } from './list-agents.js';
import { observedPost } from './observed-network.js';
import {
  balanceOf,
  detectionsOf,
  launchRun,
  movementsOf,
  pollRun,
  seeRunsThrough,
  seeRunThrough,
  signalSetup,
} from './signal-runs.js';
import { startTestService, type Answer, type TestService, type TestWorkspace } from './service.js';

/**
 * Builds what an API spec needs before its first case: one service for all cases of a `describe`, its time, its
 * network and its workspaces. A step that fails throws, so that no case runs on half a scene.
 */

/** What a service is started with. */
export type SceneOptions = {
  /** Moment of the manual clock; without it the service has the machine's clock. */
  readonly at?: string;
  readonly settings?: { readonly [variable: string]: string };
  /** Other stores, another time, as `startTestService` takes them. */
  readonly outside?: Partial<Outside>;
  /** Observations that are ingested first. */
  readonly network?: readonly object[];
  /** What else all cases need. */
  readonly prepare?: (scene: Scene) => Promise<unknown>;
};

/** A list with its members. */
export type SceneList = {
  readonly id: number;
  /** Without `/api/v2/`, because monitoring is set at `/api/v3/`. */
  readonly path: string;
  readonly memberIds: readonly number[];
};

export type SceneWorkspace = TestWorkspace & {
  /** `data` of a successful answer. */
  readonly data: (route: string, body?: unknown) => Promise<Answer['body']>;
  /** A persona for a CTO in France, or with these fields; returns its id. */
  readonly persona: (fields?: object) => Promise<number>;
  /** A list of this type with these members (handles, or member objects). */
  readonly list: (
    type: string,
    members?: readonly (string | object)[],
    fields?: object,
  ) => Promise<SceneList>;
  /** Monitors the members of a list, or stops with null. */
  readonly monitor: (list: SceneList, buckets?: readonly string[] | null) => Promise<void>;
  /** Adds top accounts by handle, and does the work that follows. */
  readonly topAccounts: (...handles: readonly string[]) => Promise<void>;
  /** An agent of a type with these other fields; returns its id. */
  readonly agent: (type: string, fields?: object) => Promise<number>;
  /** A setup of a template by its key; returns its id. */
  readonly setup: (templateKey: string, parameters: object) => Promise<number>;
  readonly launch: (agentId: unknown, parameters?: unknown) => Promise<Answer>;
  readonly poll: (runId: unknown) => Promise<Answer>;
  /** Launches, does all due work, and returns the polled run. */
  readonly run: (agentId: number, parameters?: object) => Promise<Answer['body']>;
  /** The same with the runs of all directions. */
  readonly runs: (agentId: number, parameters?: object) => Promise<Answer['body'][]>;
  /** Every detection, newest first. */
  readonly detections: (filter?: object) => Promise<Answer['body'][]>;
  /** Every movement, newest first. */
  readonly movements: () => Promise<Answer['body'][]>;
  readonly balance: () => Promise<Answer['body']>;
  /** Gives a successful operator command about this workspace; returns the body of its answer. */
  readonly command: (name: string, input?: object) => Promise<Answer['body']>;
};

export type Scene = Omit<TestService, 'workspace'> & {
  readonly workspace: (options?: object) => Promise<SceneWorkspace>;
  /** Moment of the service's clock. */
  readonly now: () => string;
  readonly daysAgo: (days: number) => string;
  /** Gives a successful operator command; returns the body of its answer. */
  readonly command: (name: string, input?: object) => Promise<Answer['body']>;
  /** Moves the manual clock, e.g. `P1D`. */
  readonly advance: (duration: string) => Promise<void>;
  readonly setClock: (now: string) => Promise<void>;
  /** Does all due work. */
  readonly drain: () => Promise<void>;
  /** A post of a person, published now unless told otherwise; returns its name. */
  readonly post: (author: string, text: string, publishedAt?: string) => Promise<string>;
  /** Makes a call; returns its answer with the types of the events that it added. */
  readonly recorded: (call: () => Promise<Answer>) => Promise<Answer & { readonly added: readonly string[] }>;
  /** Makes a call that must add no event; returns its answer. */
  readonly refused: (call: () => Promise<Answer>) => Promise<Answer>;
  /** Expects that work adds exactly these events, as `eventsOf` lists them. */
  readonly expectEvents: (types: readonly string[], work: () => Promise<unknown>) => Promise<void>;
  /** The same when background work of earlier tests may still run: that is done first. */
  readonly expectSettledEvents: (types: readonly string[], work: () => Promise<unknown>) => Promise<void>;
  /** The events of a stream, e.g. `agent-1_7`, in order. */
  readonly stream: (name: string) => Promise<readonly StoredEvent[]>;
  /** A workspace that a new partner pays for, at these rates by item and else at the usual prices. */
  readonly partnerWorkspace: (rates?: { readonly [item: string]: number }) => Promise<SceneWorkspace>;
};

/** One service for all cases of this `describe` (or file): it starts before them and stops after them. */
export function scene(options: SceneOptions = {}): Scene {
  let started: Scene | undefined;
  beforeAll(async () => {
    started = await startedScene(options);
    if (options.network !== undefined) await ingested(started, options.network);
    await options.prepare?.(started);
  });
  afterAll(() => started?.stop());
  return late('the scene', () => started);
}

/** One workspace for all cases of this `describe`, made after the service has started. */
export function sharedWorkspace(
  of: Scene,
  options?: object,
  prepare?: (workspace: SceneWorkspace) => Promise<unknown>,
): SceneWorkspace {
  let made: SceneWorkspace | undefined;
  beforeAll(async () => {
    made = await of.workspace(options);
    await prepare?.(made);
  });
  return late('the workspace', () => made);
}

async function startedScene({ at, settings = {}, outside }: SceneOptions): Promise<Scene> {
  const environment = at === undefined ? settings : { CLOCK: 'manual', ...settings };
  const service = await startTestService(environment, undefined, outside);
  const steps = sceneSteps(service);
  if (at !== undefined) await steps.setClock(at);
  return { ...service, ...steps };
}

/** Observations that must all be taken. */
async function ingested(service: TestService, observations: readonly object[]): Promise<void> {
  const answer = await service.ingest(observations);
  if (answer.status !== 200 || answer.body.rejected_total !== 0) throw unexpected('network.ingest', answer);
}

function sceneSteps(service: TestService): Omit<Scene, Exclude<keyof TestService, 'workspace'>> {
  const now = (): Date => service.service.host.clock.now();
  const done = async (command: string, input?: object): Promise<void> => {
    await commanded(service, command, input);
  };
  const made = async (options?: object): Promise<SceneWorkspace> => {
    const workspace = await service.workspace(options);
    return { ...workspace, ...workspaceSteps(service, workspace) };
  };
  const recorded: Scene['recorded'] = async (call) => {
    const answers: Answer[] = [];
    const added = await service.eventsOf(async () => answers.push(await call()));
    const [answer] = answers;
    if (answer === undefined) throw new Error('the call was not made');
    return { ...answer, added };
  };
  let posts = 0;
  return {
    workspace: made,
    now: () => now().toISOString(),
    daysAgo: (days) => new Date(now().getTime() - days * 86_400_000).toISOString(),
    command: (name, input) => commanded(service, name, input),
    advance: (duration) => done('clock.advance', { duration }),
    setClock: (moment) => done('clock.set', { now: moment }),
    drain: () => done('work.drain'),
    async post(author, text, publishedAt = now().toISOString()) {
      const name = `post-${(posts += 1)}`;
      await ingested(service, [observedPost(name, author, text, publishedAt)]);
      return name;
    },
    recorded,
    async refused(call) {
      const { added, ...answer } = await recorded(call);
      if (added.length > 0) throw new Error(`a refused call added ${added.join(', ')}`);
      return answer;
    },
    async expectEvents(types, work) {
      expect(await service.eventsOf(work)).toEqual(types);
    },
    async expectSettledEvents(types, work) {
      expect(await service.settledEventsOf(work)).toEqual(types);
    },
    stream: (name) => eventsOf(service.service.host.eventStore, name),
    async partnerWorkspace(rates = {}) {
      const { partner_id } = (await service.ops('partner.create', { name: 'Partner' })).body;
      for (const [item, credits] of Object.entries(rates))
        await done('partner.rate', { partner_id, item, credits });
      return made({ billing: 'partner', partner_id, credits: undefined });
    },
  };
}

function workspaceSteps(
  service: TestService,
  workspace: TestWorkspace,
): Omit<SceneWorkspace, keyof TestWorkspace> {
  const data = async (route: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await workspace.call(route, body);
    if (answer.status >= 300) throw unexpected(route, answer);
    return answer.body.data;
  };
  return {
    data,
    persona: async (fields = { job_title: ['CTO'], location: ['France'] }) =>
      (await data('POST /api/v2/personas', fields)).id,
    async list(type, members = [], fields) {
      const { id, kind } = await data('POST /api/v2/lists', { type, name: type, ...fields });
      const added = await addTo(workspace, kind, id, members);
      return { id, path: `lists/${kind}/${id}`, memberIds: added.map(({ id: member }) => member) };
    },
    async monitor({ path }, signal_buckets = ['essential']) {
      await data(`PUT /api/v3/${path}`, { signal_buckets });
    },
    async topAccounts(...handles) {
      const accounts = handles.map((handle) => ({
        network_url: `https://www.network.example/company/${handle}`,
      }));
      await data('POST /api/v2/top-account-list/accounts', { accounts });
      await service.ops('work.drain');
    },
    agent: async (type, fields) => (await data('POST /api/v2/agents', { type, ...fields })).id,
    setup: (templateKey, parameters) => signalSetup(workspace, templateKey, parameters),
    launch: (agentId, parameters) => launchRun(workspace, agentId, parameters),
    poll: (runId) => pollRun(workspace, runId),
    run: (agentId, parameters) => seeRunThrough(service, workspace, agentId, parameters),
    runs: (agentId, parameters) => seeRunsThrough(service, workspace, agentId, parameters),
    detections: (filter) => detectionsOf(workspace, filter),
    movements: () => movementsOf(workspace),
    balance: () => balanceOf(workspace),
    command: (name, input) => commanded(service, name, { workspace_id: workspace.id, ...input }),
  };
}

/** The body of a successful operator command. */
async function commanded(service: TestService, command: string, input?: object): Promise<Answer['body']> {
  const answer = await service.ops(command, input);
  if (answer.status !== 200) throw unexpected(command, answer);
  return answer.body;
}

const unexpected = (call: string, { status, body }: Answer): Error =>
  new Error(`${call} answered ${status}: ${JSON.stringify(body)}`);
