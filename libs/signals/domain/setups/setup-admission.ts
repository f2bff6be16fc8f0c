import { unknownTemplate } from '#catalogue/domain/templates/template-facts.js';
import type { JsonObject } from '#kernel/values/json.js';
import { refusal } from '#kernel/values/refusal.js';
import { parameterErrors } from './parameter-validation.js';

/** The facts about a template that the rules need. */
export type TemplateFacts = {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly status: 'live' | 'coming_soon';
  readonly retired: boolean;
  /** JSON Schema of the parameters. */
  readonly fields: JsonObject;
  readonly listType: string | null;
  readonly requiresPersona: boolean;
  readonly requiresTopAccounts: boolean;
};

/** The facts about a list that the rules need; a deleted or foreign list counts as none. */
export type SetupListFacts = {
  readonly type: string;
  readonly archived: boolean;
  readonly personaIds: readonly number[];
};

export type SetupRequest = {
  readonly template: TemplateFacts | null;
  readonly parameters: JsonObject;
  /** The workspace's list that `parameters.list_id` names; null if there is none. */
  readonly list: SetupListFacts | null;
  /** The persona of the new setup (OP-15). */
  readonly personaId: number | null;
  /** Throws the refusal of an incomplete persona. */
  readonly requireCompletePersona: () => void;
  readonly hasFoundTopAccount: boolean;
};

export const templateNotAvailable = refusal({
  code: 'template-not-available',
  kind: 'conflicting',
  title: 'Template not available',
  detail: 'This signal template cannot be set up.',
});

export const invalidParameters = refusal({
  code: 'invalid-parameters',
  kind: 'unprocessable',
  detail: 'The parameters are not valid for this signal.',
});

export const listNotAvailable = refusal({
  code: 'list-not-available',
  kind: 'conflicting',
  title: 'List not available',
  detail: 'The list is attached to other business units only.',
});

export const insufficientTopAccounts = refusal({
  code: 'insufficient-top-accounts',
  kind: 'unprocessable',
  title: 'Insufficient top accounts',
  detail: 'This signal watches your top accounts; add at least one.',
});

/**
 * Checks whether the setup may be created, in the order of OP-16: template unknown, template not available,
 * parameters and list together, list of other business units, persona incomplete, no top account. Returns the
 * template.
 */
export function admitSetup(request: SetupRequest): TemplateFacts {
  const { template, parameters, list, personaId } = request;
  if (template === null) throw unknownTemplate();
  if (template.retired) throw templateNotAvailable({ detail: 'This signal template is retired.' });
  if (template.status === 'coming_soon') {
    throw templateNotAvailable({ detail: 'This signal template is not released yet.' });
  }
  const errors = new Map(parameterErrors(template.fields, parameters));
  if (template.listType !== null && !errors.has('list_id')) {
    const fault = listFault(list, template.listType);
    if (fault !== null) errors.set('list_id', [fault]);
  }
  if (errors.size > 0) throw invalidParameters({ errors });
  // A list without personas applies to all personas.
  if (template.listType !== null && list !== null && list.personaIds.length > 0) {
    if (personaId === null || !list.personaIds.includes(personaId)) throw listNotAvailable();
  }
  if (template.requiresPersona) request.requireCompletePersona();
  if (template.requiresTopAccounts && !request.hasFoundTopAccount) throw insufficientTopAccounts();
  return template;
}

function listFault(list: SetupListFacts | null, type: string): string | null {
  if (list === null) return 'does not exist in this workspace';
  if (list.type !== type) return `must be a list of type ${type}`;
  return list.archived ? 'is archived' : null;
}
