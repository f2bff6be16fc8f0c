import type { AnswerPart } from '../answer.js';
import type { Visit } from '../visits.js';

/** What a person writes or chooses for an action. */
export type ActionField = {
  readonly name: string;
  readonly label: string;
  readonly kind?: 'number' | 'date' | 'month' | 'long text';
  readonly choices?: readonly string[];
  readonly hint?: string;
  readonly isOptional?: true;
  /** What the action is about: the link to the action names it, and nobody writes over it. */
  readonly isSubject?: true;
};

/** The fields as they were given, without those that were left empty. */
export type Given = { readonly [field: string]: string };

/** What an action will change, as it stands now. */
export type ActionPreview = {
  /** How much is affected: `1 workspace, 12 holds, 840 credits`. */
  readonly affects: string;
  readonly changes: readonly {
    readonly name: string;
    readonly now: string;
    readonly then: string;
  }[];
  /** The word on the button: `Grant 840 credits`. */
  readonly button: string;
  /** Why nothing would change; there is no button then. */
  readonly nothingToDo?: string;
  /** Where this is another text when the form arrives, nothing is sent and the new preview is shown. */
  readonly approved?: string;
};

/** What was written, and the page that shows it. */
export type ActionResult = {
  readonly to: string;
  readonly text: string;
  /** A secret that is shown once. */
  readonly secret?: { readonly name: string; readonly value: string };
};

/** What the form carries beside the fields. */
export type Sending = {
  /** The same for each sending of one form: a command that takes a key does once what is sent twice. */
  readonly key: string;
  /** `approved` of the preview that was shown. */
  readonly approved: string | undefined;
};

/** An operator command as the console sends it: a form, what will change, and what was written. */
export type Action = {
  /** The operator command, which also names the action in its address. */
  readonly command: string;
  readonly title: string;
  /** Present where it cannot be undone: why. It is asked again before it is sent. */
  readonly cannotBeUndone?: string;
  /** Present where the command takes long: it is begun, and its progress is a page of its own. */
  readonly isLong?: true;
  readonly fields: readonly ActionField[];
  /** The page that the action belongs to, to go back to. */
  readonly from: (given: Given) => string;
  readonly input: (given: Given, sending: Sending) => object;
  readonly preview: (visit: Visit, given: Given) => Promise<ActionPreview>;
  readonly written: (given: Given, answer: AnswerPart) => ActionResult;
};

/** The address of an action, with what is known of its fields. */
export function actionLink(command: string, given: { readonly [field: string]: string | number }): string {
  const query = Object.entries(given).map(
    ([name, value]) => [name, String(value)] satisfies [string, string],
  );
  return `/console/actions/${command}?${new URLSearchParams(query).toString()}`;
}

/** The pages of the workspace that an action is about. */
export const workspacePage = (given: Given, page: string): string =>
  given['workspace_id'] === undefined
    ? '/console'
    : `/console/workspaces/${encodeURIComponent(given['workspace_id'])}/${page}`;

/** An id as commands take it; what is no number is refused by the command, which names the field. */
export const idIn = (given: Given, name: string): number => Number(given[name]);

/** These fields as they were given; without those that were not. */
export const textsIn = (given: Given, ...names: readonly string[]): { readonly [field: string]: string } =>
  Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));

export const WORKSPACE: ActionField = {
  name: 'workspace_id',
  label: 'Workspace',
  kind: 'number',
  isSubject: true,
};

/** A number with what it counts: `1 hold`, `12 holds`. */
export const counted = (count: number | string, one: string, many = `${one}s`): string =>
  `${count} ${String(count) === '1' ? one : many}`;
