import { belowOnePrice } from '#signals/domain/launches/limit-facts.js';
import type { WantedSchedule } from '#signals/domain/schedules/schedule-facts.js';
import { credits } from '#kernel/values/credits.js';
import { unknownTemplate } from '#catalogue/domain/templates/template-facts.js';
import type { JsonObject } from '#kernel/values/json.js';
import { fieldError } from '#kernel/values/refusal.js';
import { given } from '#kernel/testing/scenario.js';
import { shippedCatalogue } from '#catalogue/domain/templates/catalogue-file.js';
import {
  admitSetup,
  insufficientTopAccounts,
  invalidParameters,
  listNotAvailable,
  templateNotAvailable,
  type SetupRequest,
  type TemplateFacts,
} from './setup-admission.js';
import {
  changeSignalSetup,
  createSignalSetup,
  listCannotBeChanged,
  setupNotFound,
  signalSetup,
  type SignalSetup,
  type SignalSetupPatch,
} from './signal-setup.js';

const now = '2026-01-05T10:00:00.000Z';
const later = '2026-01-06T10:00:00.000Z';

function template(key: string): TemplateFacts {
  const shipped = shippedCatalogue().templates.find((candidate) => candidate.key === key);
  if (shipped === undefined) throw new Error(`no template ${key}`);
  const { name, status, retired, fields, detector } = shipped;
  return {
    id: 15,
    key,
    name,
    status,
    retired,
    fields,
    listType: detector.list_type,
    requiresPersona: detector.requires_persona,
    requiresTopAccounts: detector.requires_top_accounts,
  };
}

const champions = template('champion-job-change');
const incomplete = new Error('the persona is incomplete');
const request = (changes: Partial<SetupRequest>): SetupRequest => ({
  template: champions,
  parameters: { list_id: 14 },
  list: { type: 'champion', archived: false, personaIds: [] },
  personaId: 4,
  requireCompletePersona: () => undefined,
  hasFoundTopAccount: false,
  ...changes,
});
const admit = (changes: Partial<SetupRequest>) => () => admitSetup(request(changes));
const listErrors = (changes: Partial<SetupRequest>): unknown => {
  try {
    admitSetup(request(changes));
    return null;
  } catch (error) {
    return error;
  }
};

describe('admitting a setup (OP-16)', () => {
  it('SETUP-23 returns the template of a setup that may be created', () => {
    expect(admit({})()).toBe(champions);
  });

  it('SETUP-11 SETUP-12 SETUP-13 refuses a template that is unknown, coming or retired, before anything else', () => {
    expect(admit({ template: null, parameters: {} })).toThrow(unknownTemplate.detail);
    const coming = { ...champions, status: 'coming_soon' } as const;
    expect(admit({ template: coming, parameters: {} })).toThrow('is not released yet');
    expect(admit({ template: { ...champions, retired: true }, parameters: {} })).toThrow('is retired');
    expect(templateNotAvailable.title).toBe('Template not available');
  });

  it('SETUP-19 SETUP-20 SETUP-21 SETUP-25 names the fault of the list', () => {
    const archived = (type: string) => ({ list: { type, archived: true, personaIds: [] } });
    for (const [changes, message] of [
      [{ parameters: {} }, 'is required'],
      [{ list: null }, 'does not exist in this workspace'],
      [archived('customer'), 'must be a list of type champion'],
      [archived('champion'), 'is archived'],
    ] as const)
      expect(listErrors(changes)).toMatchObject({
        declaration: invalidParameters,
        details: { errors: fieldError('list_id', message) },
      });
  });

  it('reports faults of parameters and list together', () => {
    expect(listErrors({ parameters: { list_id: 14, moves: 'all' }, list: null })).toMatchObject({
      details: {
        errors: new Map([
          ['moves', ['must be a list']],
          ['list_id', ['does not exist in this workspace']],
        ]),
      },
    });
  });

  it('SETUP-26 SETUP-27 refuses a list of other business units only', () => {
    const attached = (personaIds: number[]) => ({ type: 'champion', archived: false, personaIds });
    expect(admit({ list: attached([5]) })).toThrow(listNotAvailable.detail);
    expect(admit({ list: attached([5]), personaId: null })).toThrow(listNotAvailable.detail);
    expect(admit({ list: attached([5, 4]) })).not.toThrow();
    expect(admit({ list: attached([]), personaId: null })).not.toThrow();
  });

  it('SETUP-28 SETUP-30 requires a complete persona only if the template needs one, after the list', () => {
    const requireCompletePersona = () => {
      throw incomplete;
    };
    const keywords = template('mentioned-keywords-on-network');
    const parameters = { tracking_keywords: ['crm'] };
    expect(admit({ requireCompletePersona })).not.toThrow();
    expect(admit({ template: keywords, parameters, list: null, requireCompletePersona })).toThrow(incomplete);
    const competitor = template('competitor-team-activity');
    const list = { type: 'competitor', archived: false, personaIds: [5] };
    expect(admit({ template: competitor, list, requireCompletePersona })).toThrow(listNotAvailable.detail);
  });

  it('requires top accounts last, if the template watches them (OP-21)', () => {
    const topAccounts = template('keywords-in-top-account-posts');
    const parameters = { tracking_keywords: ['crm'] };
    expect(admit({ template: topAccounts, parameters, list: null })).toThrow(insufficientTopAccounts.detail);
    expect(admit({ template: topAccounts, parameters, list: null, hasFoundTopAccount: true })).not.toThrow();
    expect(insufficientTopAccounts.title).toBe('Insufficient top accounts');
  });
});

const created = (parameters: JsonObject = { list_id: 14 }) =>
  ({
    type: 'SignalSetupCreated',
    data: {
      setupId: 31,
      templateId: 15,
      templateKey: 'champion-job-change',
      name: 'Champion changes job',
      parameters,
      listId: 14,
      personaId: 4,
      createdAt: now,
    },
  }) as const;
const switchedOn = {
  type: 'ScheduleSwitchedOn',
  data: { ownerKind: 'setup', ownerId: 31, cadence: 'weekly', anchorAt: now },
} as const;
const changed = (changes: object) =>
  ({ type: 'SignalSetupChanged', data: { setupId: 31, changes, changedAt: later } }) as const;

describe('creating a setup', () => {
  const creating = (changes: { readonly name?: string; readonly schedule?: WantedSchedule }) =>
    given(signalSetup, []).when(
      createSignalSetup({
        setupId: 31,
        template: { ...champions, name: 'Champion changes job' },
        name: changes.name,
        parameters: { list_id: 14 },
        personaId: 4,
        schedule: changes.schedule ?? null,
        price: credits(10),
        now,
      }),
    );

  it('SETUP-03 takes the template’s name unless a name is given', () => {
    creating({}).then([created()]);
    creating({ name: 'Mine' }).then([
      { type: 'SignalSetupCreated', data: { ...created().data, name: 'Mine' } },
    ]);
  });

  it('SETUP-08 switches a weekly schedule on, counted from now', () => {
    creating({ schedule: {} }).then([created(), switchedOn]);
  });
});

describe('changing a setup', () => {
  const changing = (
    past: Parameters<typeof given<SignalSetup, typeof signalSetup.vocabulary>>[1],
    patch: SignalSetupPatch,
  ) =>
    given(signalSetup, past).when(
      changeSignalSetup({ patch, fields: champions.fields, price: credits(10), now: later }),
    );

  it('SETUP-50 SETUP-51 records changes, and no event if nothing changes', () => {
    changing([created()], { name: 'Mine', enabled: false }).then([changed({ name: 'Mine', enabled: false })]);
    changing([created()], {
      name: 'Champion changes job',
      enabled: true,
      parameters: { list_id: 14 },
      schedule: null,
    }).then([]);
  });

  it('SETUP-54 SETUP-55 merges parameters: sent keys overwrite, null removes, the rest stays', () => {
    changing([created({ list_id: 14, moves: ['promotion'] })], { parameters: { moves: ['departure'] } }).then(
      [changed({ parameters: { moves: ['departure'] } })],
    );
    changing([created({ list_id: 14, moves: ['promotion'] })], { parameters: { moves: null } }).then([
      changed({ removedParameters: ['moves'] }),
    ]);
    changing([created()], { parameters: { moves: null } }).then([]);
  });

  it('SETUP-57 SETUP-58 refuses an invalid merge as a whole', () => {
    changing([created()], { name: 'Mine', parameters: { list_id: null } }).then(
      invalidParameters({ errors: fieldError('list_id', 'is required') }),
    );
    changing([created()], { parameters: JSON.parse('{"__proto__":{"list_id":2}}') }).then(
      invalidParameters({ errors: fieldError('__proto__', 'is not a parameter of this signal') }),
    );
  });

  it('SETUP-60 refuses another list before it checks the rest', () => {
    changing([created()], { name: 'Mine', parameters: { list_id: 15, nonsense: 1 } }).then(
      listCannotBeChanged(),
    );
    changing([created()], { parameters: { list_id: '14' } }).then(
      invalidParameters({ errors: fieldError('list_id', 'must be an integer') }),
    );
  });

  it('does not check stored parameters again if none are sent', () => {
    changing([created({ list_id: 14, gone: 1 })], { name: 'Mine' }).then([changed({ name: 'Mine' })]);
  });

  it('SETUP-52 switches the schedule on and off; on again keeps its anchor (OP-17)', () => {
    changing([created(), switchedOn], { schedule: {} }).then([]);
    changing([created(), switchedOn], { schedule: null }).then([
      { type: 'ScheduleSwitchedOff', data: { ownerKind: 'setup', ownerId: 31, switchedOffAt: later } },
    ]);
  });

  it('QUO-02 SETUP-58 limits each launch of the schedule; a limit below one price is refused, with the rest', () => {
    const limit = { type: 'ScheduleLimitSet' as const, data: { ownerKind: 'setup' as const, ownerId: 31 } };
    const limited = { ...limit, data: { ...limit.data, maxCredits: '50000000' } };
    const fifty = { maxCredits: credits(50) };
    changing([created()], { schedule: fifty }).then([
      { ...switchedOn, data: { ...switchedOn.data, anchorAt: later } },
      limited,
    ]);
    changing([created(), switchedOn, limited], { schedule: fifty, name: 'Mine' }).then([
      changed({ name: 'Mine' }),
    ]);
    changing([created(), switchedOn, limited], { schedule: { maxCredits: null } }).then([
      { ...limit, data: { ...limit.data, maxCredits: null } },
    ]);
    changing([created()], { schedule: { maxCredits: credits(9) }, name: 'Mine' }).then(
      belowOnePrice({
        errors: fieldError('schedule.max_credits', 'must be at least the price of one signal: 10'),
      }),
    );
  });

  it('SETUP-64 refuses an unknown setup', () => {
    changing([], { name: 'x' }).then(setupNotFound());
  });
});
