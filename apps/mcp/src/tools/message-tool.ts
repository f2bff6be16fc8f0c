import type { JsonObject, JsonValue } from '#kernel/values/json.js';
import type { MessageArguments, SentMessage } from '#http/dispatch.js';
import type { DescribedEndpoint } from '#http/described-endpoint.js';
import type { Route } from '#http/endpoint-spec.js';
import { inputOf, outputOf, problemOutcome, READS, type Tool, type ToolOf } from './tool.js';
import { waitSeconds, WAIT_SECONDS } from './wait-seconds.js';

export type MessageToolOf = Pick<Tool, 'name' | 'title' | 'description'> & {
  readonly route: Route;
  /** Arguments that have another name in the API. */
  readonly called?: { readonly [argument: string]: string };
  /** It is polled: the caller may wait for the final answer. */
  readonly waits?: true;
};

/** A tool that sends one reading message: its arguments and answer are those of the endpoint. */
export const messageTool =
  ({ name, title, description, route, called = {}, waits }: MessageToolOf): ToolOf =>
  ({ dispatch }) => {
    const described = dispatch.describe(route);
    if (described.answer === null) throw new Error(`${route} has no answer to show`);
    const properties = renamed(described.properties, called);
    return {
      name,
      title,
      description,
      price: 'free',
      hints: READS,
      input: inputOf(
        waits === undefined ? properties : { ...properties, wait_seconds: WAIT_SECONDS },
        described.required.map((required) => argumentOf(required, called)),
      ),
      output: outputOf(described.answer),
      carryOut: async (given, call) => {
        const { wait_seconds, ...others } = given;
        const asked = askedOf(described, waits === undefined ? given : others, called);
        const sent =
          waits === undefined
            ? await dispatch.send(route, asked, call)
            : await dispatch.sendUntilOver(route, asked, call, waitSeconds(wait_seconds));
        return sent.kind === 'answer'
          ? { kind: 'answer', data: Object(sent.data) }
          : problemOutcome(withNames(sent, given, called));
      },
    };
  };

type Called = NonNullable<MessageToolOf['called']>;

const argumentOf = (name: string, called: Called): string =>
  Object.entries(called).find(([, own]) => own === name)?.[0] ?? name;

const renamed = (properties: DescribedEndpoint['properties'], called: Called) =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [argumentOf(name, called), each]));

/** A problem whose fields have the names of the arguments. */
export function withNames<Sent extends SentMessage>(sent: Sent, given: JsonObject, called: Called): Sent {
  if (sent.kind === 'answer') return sent;
  const { errors } = sent.document;
  if (typeof errors !== 'object' || errors === null || Array.isArray(errors)) return sent;
  const named = Object.entries(errors).map(([field, messages]) => [
    Object.hasOwn(given, field) ? field : argumentOf(field, called),
    messages,
  ]);
  return { ...sent, document: { ...sent.document, errors: Object.fromEntries(named) } };
}

/**
 * The arguments in the parts of the request. An unknown argument is put where it is refused by name: in the body if
 * the endpoint takes one, otherwise in the query.
 */
export function askedOf(
  { places, properties }: Pick<DescribedEndpoint, 'places' | 'properties'>,
  given: JsonObject,
  called: Called = {},
): MessageArguments {
  const otherwise = [...places.values()].includes('body') ? 'body' : 'query';
  const own = renamed(properties, called);
  const params: Record<string, string> = {};
  const query: Record<string, string | readonly string[]> = {};
  const body: Record<string, JsonValue | undefined> = {};
  for (const [argument, value] of Object.entries(given)) {
    const isOwn = Object.hasOwn(own, argument);
    const name = isOwn && Object.hasOwn(called, argument) ? (called[argument] ?? argument) : argument;
    const place = isOwn ? places.get(name) : otherwise;
    if (place === 'params') params[name] = textOf(value);
    else if (place === 'query') define(query, name, Array.isArray(value) ? value.map(textOf) : textOf(value));
    else define(body, name, value);
  }
  return { params, query, body };
}

/** Callers choose the name, for example `__proto__`. */
const define = (object: object, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });

const textOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
