import { decider, type Decision } from '#kernel/commands/decider.js';
import { refusal } from '#kernel/values/refusal.js';
import {
  companyEvents,
  companyIdentityEvents,
  type CompanyEvents,
  type CompanyIdentityEvents,
} from './company.events.js';

/** The company that has this handle or domain in the workspace: the first append to the stream claims it. */
export type CompanyIdentity = {
  readonly companyId: number | null;
  readonly rev: number;
  /** Registered by a call that may have been refused. */
  readonly isProvisional: boolean;
  /** The company was registered under another identity. */
  readonly isLinked: boolean;
};

export const companyIdentity = decider<CompanyIdentity>()({
  category: 'companyIdentity',
  scope: 'workspace',
  vocabulary: companyIdentityEvents,
  strict: true,
  initial: () => ({ companyId: null, rev: 0, isProvisional: false, isLinked: false }),
  on: {
    CompanyRegistered: (_, { data: { companyId, rev, provisional = false } }) => ({
      companyId,
      rev,
      isProvisional: provisional,
      isLinked: false,
    }),
    IdentityLinked: (_, { data: { companyId, provisional = false } }) => ({
      companyId,
      rev: 0,
      isProvisional: provisional,
      isLinked: true,
    }),
  },
});

export const registerCompany =
  (
    input: CompanyIdentityEvents['CompanyRegistered'],
  ): Decision<CompanyIdentity, typeof companyIdentityEvents> =>
  (state) =>
    state.companyId === null ? [{ type: 'CompanyRegistered', data: input }] : [];

/** Claims this identity for a company that is known under another one. No effect if it is claimed already. */
export const linkIdentity =
  (input: CompanyIdentityEvents['IdentityLinked']): Decision<CompanyIdentity, typeof companyIdentityEvents> =>
  (state) =>
    state.companyId === null ? [{ type: 'IdentityLinked', data: input }] : [];

/** The newest network revision copied after the registration, and the configuration of each pipeline. */
export type Company = {
  readonly rev: number;
  readonly isNamed: boolean;
  readonly pipelines: ReadonlyMap<string, string>;
};

export const unknownCompany = refusal({
  code: 'unknown-company',
  kind: 'missing',
  detail: 'There is no company with this id in the workspace.',
});

export const company = decider<Company>()({
  category: 'company',
  scope: 'workspace',
  vocabulary: companyEvents,
  initial: () => ({ rev: 0, isNamed: false, pipelines: new Map() }),
  on: {
    CompanyUpdated: (state, { data }) => ({ ...state, rev: data.rev }),
    CompanyNamed: (state) => ({ ...state, isNamed: true }),
    PipelineConfigSet: (state, { data }) => ({
      ...state,
      pipelines: new Map(state.pipelines).set(data.pipelineType, data.configuration),
    }),
  },
  stops: (_state, events) =>
    events.some(({ type, data }) => type === 'PipelineConfigSet' && data.configuration === DISABLED),
});

/** The configuration that stops a pipeline. */
export const DISABLED = 'disabled';

/** Copies newer facts; an equal or older revision changes nothing. */
export const updateCompany =
  (input: CompanyEvents['CompanyUpdated']): Decision<Company, typeof companyEvents> =>
  (state) =>
    input.rev > state.rev ? [{ type: 'CompanyUpdated', data: input }] : [];

/** Something else names a company that was registered provisionally. Idempotent. */
export const nameCompany =
  (companyId: number): Decision<Company, typeof companyEvents> =>
  ({ isNamed }) =>
    isNamed ? [] : [{ type: 'CompanyNamed', data: { companyId } }];

/** Configures the named pipelines; the others stay. Unchanged settings are not recorded. */
export const configurePipelines =
  (companyId: number, configurations: ReadonlyMap<string, string>): Decision<Company, typeof companyEvents> =>
  (state) =>
    [...configurations]
      .filter(([pipelineType, configuration]) => state.pipelines.get(pipelineType) !== configuration)
      .map(([pipelineType, configuration]) => ({
        type: 'PipelineConfigSet',
        data: { companyId, pipelineType, configuration },
      }));
