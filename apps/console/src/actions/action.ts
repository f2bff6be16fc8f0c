import { decimalNumber } from '#kernel/values/decimal-number.js';
import { fieldError } from '#kernel/values/refusal.js';
import { invalidInput } from '#ops/support/amounts.js';
import { partOf, type AnswerPart } from '../answer.js';
import type { Visit } from '../visits.js';

/** A field of an action's form. */
export type ActionField = {
  readonly name: string;
  readonly label: string;
  readonly kind?: 'number' | 'date' | 'month' | 'long text';
  readonly choices?: readonly string[];
  readonly hint?: string;
  readonly isOptional?: true;
  /** The subject of the action: the link to the action sets it, and it cannot be edited. */
  readonly isSubject?: true;
};

/** The submitted fields, without empty ones. */
export type Given = { readonly [field: string]: string };

/** The submitted fields as commands take them: numbers as numbers. */
export type Values = { readonly [field: string]: string | number };

/** The expected changes of an action on the current state. */
export type ActionPreview = {
  /** The affected objects: `1 workspace, 12 holds, 840 credits`. */
  readonly affects: string;
  readonly changes: readonly {
    readonly name: string;
    readonly now: string;
    readonly then: string;
  }[];
  /** The label of the button: `Grant 840 credits`. */
  readonly button: string;
  /** Why nothing would change; there is no button then. */
  readonly nothingToDo?: string;
  /** If this text has changed when the form arrives, nothing is sent and the new preview is shown. */
  readonly approved?: string;
};

/** The result; `to` is the page that shows it, if that is not the page that the action belongs to. */
export type ActionResult = {
  readonly to?: string;
  readonly text: string;
  /** A secret that is shown once. */
  readonly secret?: { readonly name: string; readonly value: string };
};

/** The values of the form besides the fields. */
export type Sending = {
  /** Equal for all submissions of one form: a command with a key executes repeated submissions once. */
  readonly key: string;
  /** `approved` of the preview that was shown. */
  readonly approved: string | undefined;
};

/** An operator command in the console: a form, the expected changes, and the result. */
export type Action = {
  /** The operator command, which is also in the address of the action. */
  readonly command: string;
  readonly title: string;
  /** Present if the action cannot be undone: the reason. A confirmation is required. */
  readonly cannotBeUndone?: string;
  /** Present if the command takes long: it runs in the background, and its progress has a page of its own. */
  readonly isLong?: true;
  readonly fields: readonly ActionField[];
  /** The page that the action belongs to, for the link back. */
  readonly from: (given: Given) => string;
  /** The input of the command; absent: the values of the fields. */
  readonly input?: (values: Values, sending: Sending) => object;
  readonly preview: (visit: Visit, given: Given) => Promise<ActionPreview>;
  readonly written: (answer: AnswerPart, given: Given) => ActionResult;
};

/** The address of an action, with the known fields. */
export function actionLink(command: string, given: { readonly [field: string]: string | number }): string {
  const query = Object.entries(given).map(
    ([name, value]) => [name, String(value)] satisfies [string, string],
  );
  return `/console/actions/${command}?${new URLSearchParams(query).toString()}`;
}

/** A page of the workspace in the action's fields. */
export const workspacePage = (given: Given, page: string): string =>
  given['workspace_id'] === undefined
    ? '/console'
    : `/console/workspaces/${encodeURIComponent(given['workspace_id'])}/${page}`;

/** An id in the form that commands take; the command refuses text that is no number and names the field. */
export const idIn = (given: Given, name: string): number => decimalNumber(given[name] ?? '');

/**
 * The input of the action's command; a field that is not given is left out, except a required number. Throws
 * `invalidInput` for a choice that its field does not have.
 */
export function inputOf({ fields, input }: Action, given: Given, sending: Sending): object {
  requireChoices(fields, given);
  const values: Values = Object.fromEntries(
    fields.flatMap(({ name, kind, isOptional }): readonly (readonly [string, string | number])[] => {
      const text = given[name];
      if (kind === 'number' && (text !== undefined || isOptional !== true))
        return [[name, idIn(given, name)]];
      return text === undefined ? [] : [[name, text]];
    }),
  );
  return input?.(values, sending) ?? values;
}

/** An address can name any choice, and `input` of an action knows its own alone. */
function requireChoices(fields: readonly ActionField[], given: Given): void {
  for (const { name, choices } of fields) {
    const value = given[name];
    if (choices === undefined || value === undefined || choices.includes(value)) continue;
    throw invalidInput({ errors: fieldError(name, `must be one of ${choices.join(', ')}`) });
  }
}

/** The workspace in the action's fields. */
export const workspaceOf = async ({ run }: Visit, given: Given): Promise<AnswerPart> =>
  partOf(await run('workspace.show', { workspace_id: idIn(given, 'workspace_id') }));

export const WORKSPACE: ActionField = {
  name: 'workspace_id',
  label: 'Workspace',
  kind: 'number',
  isSubject: true,
};
