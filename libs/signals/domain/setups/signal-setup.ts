import { decider } from '#kernel/commands/decider.js';
import type { EventOf, PayloadsOf } from '#kernel/events/event.js';
import { changedMembers, type JsonObject } from '#kernel/values/json.js';
import type { Credits } from '#kernel/values/credits.js';
import { fieldError, refusal } from '#kernel/values/refusal.js';
import {
  configurationChanges,
  parameterChange,
  parametersAfter,
} from '#signals/domain/configuration-facts.js';
import { scheduleEvents } from '#signals/domain/schedules/schedule.events.js';
import {
  limitedTo,
  noSchedule,
  scheduleChange,
  switchedOn,
  type KeptSchedule,
  type WantedSchedule,
} from '#signals/domain/schedules/schedule-facts.js';
import { belowOnePrice, belowPriceFault } from '#signals/domain/launches/limit-facts.js';
import { launchEvents } from '#signals/domain/launches/launch.events.js';
import {
  ended,
  launched,
  livePass,
  noLaunches,
  pass,
  passedAt,
  tick,
  type Launches,
  type Monitored,
  type Scheduled,
} from '#signals/domain/launches/launches.js';
import { parameterErrors } from './parameter-validation.js';
import { invalidParameters } from './setup-admission.js';
import { signalSetupEvents } from './signal-setup.events.js';

/** The configuration of a setup. */
export type SetupConfiguration = KeptSchedule & {
  readonly setupId: number;
  readonly templateId: number;
  readonly templateKey: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly parameters: JsonObject;
  readonly listId: number | null;
  readonly personaId: number | null;
  readonly lastTickAt: string | null;
  /** When it was created or last enabled. */
  readonly monitoredSince: string;
  readonly lastPassDueAt: string | null;
  readonly createdAt: string;
};

/** A signal setup; the configuration is null before it is created. */
export type SignalSetup = {
  readonly configuration: SetupConfiguration | null;
  readonly launches: Launches;
};

const vocabulary = { ...signalSetupEvents, ...scheduleEvents, ...launchEvents };

function configure(state: SignalSetup, changes: Partial<SetupConfiguration>): SignalSetup {
  return state.configuration === null
    ? state
    : { ...state, configuration: { ...state.configuration, ...changes } };
}

export const signalSetup = decider<SignalSetup>()({
  category: 'setup',
  scope: 'workspace',
  vocabulary,
  strict: true,
  initial: () => ({ configuration: null, launches: noLaunches }),
  on: {
    SignalSetupCreated: (state, { data }) => ({
      ...state,
      configuration: {
        ...data,
        enabled: true,
        ...noSchedule,
        monitoredSince: data.createdAt,
        lastPassDueAt: null,
      },
    }),
    SignalSetupChanged: (state, { data: { changes, changedAt } }) => {
      const { parameters: _, removedParameters: _removed, ...plain } = changes;
      return configure(state, {
        ...plain,
        ...(plain.enabled === true && { monitoredSince: changedAt }),
        parameters: parametersAfter(state.configuration?.parameters ?? {}, changes),
      });
    },
    ScheduleSwitchedOn: (state, { data }) => configure(state, switchedOn(data.anchorAt)),
    ScheduleSwitchedOff: (state) => configure(state, noSchedule),
    ScheduleLimitSet: (state, { data }) => configure(state, limitedTo(data)),
    ScheduleTicked: (state, { data }) => configure(state, { lastTickAt: data.dueAt }),
    MonitoringPassSkipped: (state, { data }) => configure(state, { lastPassDueAt: data.dueAt }),
    RunLaunched: (state, { data }) => {
      const lastPassDueAt = passedAt(data, state.configuration?.lastPassDueAt ?? null);
      return configure({ ...state, launches: launched(state.launches, data) }, { lastPassDueAt });
    },
    RunEnded: (state, { data }) => ({ ...state, launches: ended(state.launches, data) }),
  },
});

type SetupEvent = EventOf<PayloadsOf<typeof vocabulary>>;

export const setupNotFound = refusal({
  code: 'signal-setup-not-found',
  kind: 'missing',
  detail: 'The workspace has no signal setup with this id.',
});

export const listCannotBeChanged = refusal({
  code: 'list-cannot-be-changed',
  kind: 'conflicting',
  title: 'List cannot be changed',
  detail: 'A signal setup keeps the list it was created with; create another setup instead.',
});

/** The configuration of an existing setup; throws `setupNotFound`. */
export function requireSetup({ configuration }: SignalSetup): SetupConfiguration {
  if (configuration === null) throw setupNotFound();
  return configuration;
}

export type CreateSignalSetupInput = {
  readonly setupId: number;
  /** A template that `admitSetup` returned. */
  readonly template: { readonly id: number; readonly key: string; readonly name: string };
  readonly name: string | undefined;
  readonly parameters: JsonObject;
  readonly personaId: number | null;
  /** null: no schedule. */
  readonly schedule: WantedSchedule | null;
  /** The current price of one of its signals; null: no price yet. */
  readonly price: Credits | null;
  readonly now: string;
};

/** Creates a setup, enabled, named like its template unless a name is given. Throws `belowOnePrice`. */
export const createSignalSetup =
  ({ setupId, template, name, parameters, personaId, schedule, price, now }: CreateSignalSetupInput) =>
  (state: SignalSetup): SetupEvent[] => {
    requireLimitOfOne(schedule, price);
    if (state.configuration !== null) throw new Error(`signal setup ${setupId} exists already`);
    const listId = listIdOf(parameters);
    const facts = { setupId, templateId: template.id, templateKey: template.key, personaId, listId };
    return [
      {
        type: 'SignalSetupCreated',
        data: { ...facts, name: name ?? template.name, parameters, createdAt: now },
      },
      ...scheduleChange({ ownerKind: 'setup', ownerId: setupId }, noSchedule, schedule, now),
    ];
  };

/** The changes of a PATCH; absent means unchanged. */
export type SignalSetupPatch = {
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly parameters?: JsonObject | undefined;
  readonly schedule?: WantedSchedule | null | undefined;
};

export type ChangeSignalSetupInput = {
  readonly patch: SignalSetupPatch;
  /** JSON Schema of the template's parameters. */
  readonly fields: JsonObject;
  /** The current price of one of its signals; null: no price yet. */
  readonly price: Credits | null;
  readonly now: string;
};

/**
 * Changes a setup as a whole or not at all. Parameters are merged key by key (null removes) and the result must be
 * valid; the list cannot be changed. Values that stay the same are not recorded. Throws `listCannotBeChanged`,
 * `invalidParameters`, `belowOnePrice`.
 */
export const changeSignalSetup =
  ({ patch, fields, price, now }: ChangeSignalSetupInput) =>
  (state: SignalSetup): SetupEvent[] => {
    const setup = requireSetup(state);
    const sent = patch.parameters ?? {};
    refuseOtherList(setup, sent);
    const change = parameterChange(setup.parameters, sent);
    if (patch.parameters !== undefined) {
      const errors = parameterErrors(fields, changedMembers(setup.parameters, change.set, change.removed));
      if (errors.size > 0) throw invalidParameters({ errors });
    }
    requireLimitOfOne(patch.schedule ?? null, price);
    const changes = configurationChanges(setup, patch, change);
    const { setupId } = setup;
    const changed: SetupEvent[] =
      Object.keys(changes).length === 0
        ? []
        : [{ type: 'SignalSetupChanged', data: { setupId, changes, changedAt: now } }];
    if (patch.schedule === undefined) return changed;
    const owner = { ownerKind: 'setup', ownerId: setupId } as const;
    return [...changed, ...scheduleChange(owner, setup, patch.schedule, now)];
  };

/** A decision about the launches of a setup; before its creation a setup launches nothing. */
const onceItExists =
  <Input>(decide: (input: Input) => (state: Scheduled & Monitored) => readonly SetupEvent[]) =>
  (input: Input) =>
  ({ configuration, launches }: SignalSetup): readonly SetupEvent[] =>
    configuration === null ? [] : decide(input)({ ...configuration, launches });

export const tickSetup = onceItExists(tick);

/** Launches a live pass. */
export const livePassSetup = onceItExists(livePass);

/** Launches or skips a monitoring pass that is due. */
export const passSetup = onceItExists(pass);

/** The same list changes nothing; another list is refused. A value that is no id is left to the schema. */
function refuseOtherList(setup: SetupConfiguration, sent: JsonObject): void {
  const listId = listIdOf(sent);
  if (setup.listId !== null && listId !== null && listId !== setup.listId) {
    throw listCannotBeChanged();
  }
}

/** Refuses a launch limit that does not cover one signal (QUO-02). */
function requireLimitOfOne(schedule: WantedSchedule | null, price: Credits | null): void {
  const fault = belowPriceFault(schedule?.maxCredits, price);
  if (fault !== null) throw belowOnePrice({ errors: fieldError('schedule.max_credits', fault) });
}

/** The list in the parameters; null if there is none or it is no id. */
export function listIdOf(parameters: JsonObject): number | null {
  const listId = Object.hasOwn(parameters, 'list_id') ? parameters['list_id'] : null;
  return typeof listId === 'number' && Number.isSafeInteger(listId) && listId >= 1 ? listId : null;
}
