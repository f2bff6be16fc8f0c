import type { JsonObject } from '#kernel/values/json.js';
import type { Dispatch, DispatchCall, SentProblem } from '#http/dispatch.js';
import type { JsonSchema } from '#http/parameters.js';

/** The answer of a person to a question, as the client brought it back. */
export type PersonsAnswer = {
  /** What the question was sealed with. */
  readonly state: string;
  /** null: the client brought no answer. */
  readonly answer: 'yes' | 'no' | null;
};

/** One call of a tool. */
export type ToolCall = DispatchCall & {
  /** The client can ask a person. */
  readonly canAsk: boolean;
  /** null: nobody was asked. */
  readonly answered: PersonsAnswer | null;
};

/** What came of a call. */
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

/** What a tool costs: nothing, or credits for each signal that it finds. */
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

/** A tool before it knows the endpoints. */
export type ToolOf<Parts = { readonly dispatch: Dispatch }> = (parts: Parts) => Tool;

/** Reads, and nothing outside of the service. */
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

/** Keywords that say nothing to who calls a tool. */
const UNSAID: ReadonlySet<string> = new Set(['title', 'x-unit', 'examples']);

/** The schema of what a tool takes: an object that takes nothing else. */
export const inputOf = (
  properties: { readonly [name: string]: JsonSchema },
  required: readonly string[],
): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, spare(each)])),
  ...(required.length === 0 ? {} : { required }),
  additionalProperties: false,
});

/** What a tool answers as an error. */
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

/** The schema of what a tool answers. Some clients hold errors against it as well, so it has both forms. */
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

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
