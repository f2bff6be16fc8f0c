import { isObject, type JsonObject } from '#kernel/values/json.js';
import type { Dispatch, DispatchCall, SentProblem } from '#http/dispatch.js';
import type { JsonSchema } from '#http/parameters.js';

/** The answer of a person to a question, as the client returned it. */
export type PersonsAnswer = {
  /** The sealed state of the question. */
  readonly state: string;
  /** null: the client returned no answer. */
  readonly answer: 'yes' | 'no' | null;
};

/** One call of a tool. */
export type ToolCall = DispatchCall & {
  /** The client can ask a person. */
  readonly canAsk: boolean;
  /** null: no person was asked. */
  readonly answered: PersonsAnswer | null;
};

/** The result of a call. */
export type ToolOutcome =
  | { readonly kind: 'answer'; readonly data: object }
  | { readonly kind: 'problem'; readonly slug: string; readonly document: JsonObject }
  /** A person must agree first. */
  | {
      readonly kind: 'question';
      readonly message: string;
      /** What a yes means, in a few words. */
      readonly yes: string;
      readonly state: string;
    };

/** The price of a tool: free, or credits for each signal that it finds. */
export type ToolPrice = 'free' | 'per signal';

export type ToolHints = {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
};

export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly price: ToolPrice;
  readonly hints: ToolHints;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly carryOut: (given: JsonObject, call: ToolCall) => Promise<ToolOutcome>;
};

/** A tool that does not have the endpoints yet. */
export type ToolOf<Parts = { readonly dispatch: Dispatch }> = (parts: Parts) => Tool;

/** Reads only, and nothing outside of the service. */
export const READS: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

export const problemOutcome = ({ slug, document }: SentProblem): ToolOutcome => ({
  kind: 'problem',
  slug,
  document,
});

/** Keywords without meaning for callers of a tool. */
const UNSAID: ReadonlySet<string> = new Set(['title', 'x-unit', 'examples']);

/** The schema of a tool's arguments: an object without other members. */
export const inputOf = (
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[],
): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, spare(each)])),
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

/** A tool's answer for an error. */
const PROBLEM: JsonSchema = {
  type: 'object',
  description: 'A refusal: nothing was done. The members of its kind stand beside these.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errors: { type: 'object', description: 'What is wrong, by argument.' },
  },
  required: ['title', 'status', 'detail'],
};

/** The schema of a tool's answer. Some clients validate errors against it as well, so it has both forms. */
export const outputOf = (schema: JsonSchema): JsonSchema => ({
  type: 'object',
  anyOf: [spare(schema), PROBLEM],
});

function spare(schema: JsonSchema): JsonSchema {
  const said = Object.entries(schema).filter(([keyword]) => !UNSAID.has(keyword));
  return Object.fromEntries(
    said.map(([keyword, value]) => [keyword, keyword === 'properties' ? eachOf(value, spare) : below(value)]),
  );
}

const eachOf = (value: unknown, change: (schema: JsonSchema) => JsonSchema): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, isObject(each) ? change(each) : each]),
      )
    : value;

const below = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((each: unknown) => (isObject(each) ? spare(each) : each))
    : isObject(value)
      ? spare(value)
      : value;
