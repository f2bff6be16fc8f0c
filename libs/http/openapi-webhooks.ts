import { pascalCase } from '#kernel/values/capitalized.js';
import { isObject } from '#kernel/values/json.js';
import type { TSchema } from '#kernel/values/schema.js';
import type { SchemaComponents } from './openapi-components.js';
import { closedSchema, type Documented } from './openapi-schemas.js';
import type { JsonSchema } from './parameters.js';

/** A request from this service to an address of the caller. */
export type DeclaredWebhook = {
  /** The event type, as the body names it: `signal.detected`. */
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** The tag of its operations. */
  readonly tag: string;
  readonly body: TSchema;
  /** Members of the example that differ from the reference, at any depth. */
  readonly shown?: Documented;
};

/** The headers of a request to a receiver. */
const HEADERS = [
  {
    name: 'webhook-id',
    description:
      'The id of the event: the same at each attempt and replay. What came with it before is done.',
    schema: { type: 'string', examples: ['evt_0b0e8b1c4d7a4c0e9f5a2d3c4b5a6978_0'] },
  },
  {
    name: 'webhook-timestamp',
    description:
      'When the attempt was signed, in seconds since 1970. Refuse what is older than five minutes.',
    schema: { type: 'string', pattern: '^\\d+$', examples: ['1780308000'] },
  },
  {
    name: 'webhook-signature',
    description:
      'Signatures of Standard Webhooks, `v1,` and HMAC-SHA256 of `id.timestamp.body` in base64, with blanks between: ' +
      'one, and two while a secret is rotated. One of them has to verify.',
    schema: { type: 'string', examples: ['v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='] },
  },
].map((header) => ({ ...header, in: 'header', required: true }));

/** The `webhooks` of a document: each event type with its schema and an example. */
export function webhooksOf(
  declared: readonly DeclaredWebhook[],
  components: SchemaComponents,
): { readonly [name: string]: Documented } {
  const referred = declared.map((webhook) => ({
    webhook,
    schema: components.refer(closedSchema(webhook.body), webhook.name),
  }));
  const named = components.schemas();
  return Object.fromEntries(
    referred.map(({ webhook: { name, tag, summary, description, shown }, schema }) => [
      name,
      {
        post: {
          operationId: operationIdOf(name),
          tags: [tag],
          summary,
          description,
          security: [],
          parameters: HEADERS,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema,
                example: showing(exampleOf(schema, { event: name, named }), shown),
              },
            },
          },
          responses: {
            '2XX': { description: 'Received: the event is not sent again' },
            default: {
              description:
                'Not received: it is tried again, ten times in all. No redirect is followed. 410 disables the endpoint; ' +
                '429, 502, 503, 504 and `Retry-After` pause the endpoint.',
            },
          },
        },
      },
    ]),
  );
}

/** `toldSignalDetected` for `signal.detected`. */
const operationIdOf = (name: string): string => `told${pascalCase(name)}`;

/** The place of a value in an example: the event, and the named schema and the field of it that the value is in. */
type Place = {
  readonly event: string;
  readonly named: ReturnType<SchemaComponents['schemas']>;
  readonly owner?: string;
  readonly field?: string;
};

/** A value made of the examples that the reference has for its members. Throws for a field without an example. */
function exampleOf(schema: unknown, place: Place): unknown {
  if (!isObject(schema)) throw withoutExample(place);
  const { examples, $ref, enum: words, anyOf, type } = schema;
  if (Array.isArray(examples)) return examples[0];
  if ('const' in schema) return schema['const'];
  if (Array.isArray(words)) return words[0];
  if (typeof $ref === 'string') {
    const owner = $ref.replace('#/components/schemas/', '');
    return exampleOf(place.named[owner], { ...place, owner });
  }
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], place);
  const types = [type].flat();
  if (types.includes('boolean')) return true;
  if (types.includes('array')) return [exampleOf(schema['items'], place)];
  if (types.includes('object')) return membersOf(schema, place);
  throw withoutExample(place);
}

function membersOf({ properties }: JsonSchema, place: Place): Documented {
  const members = Object.entries(isObject(properties) ? properties : {});
  return Object.fromEntries(members.map(([field, each]) => [field, exampleOf(each, { ...place, field })]));
}

const withoutExample = ({ event, owner = 'the body', field = 'the value' }: Place): Error =>
  new Error(
    `${field} of ${owner} has no example, which the event ${event} shows: describe it in a .reference.ts file`,
  );

/** The example with the given members replaced. */
function showing(example: unknown, shown: unknown): unknown {
  if (shown === undefined) return example;
  if (!isObject(example) || !isObject(shown)) return shown;
  const said = Object.entries(shown).map(([name, each]) => [name, showing(example[name], each)]);
  return { ...example, ...Object.fromEntries(said) };
}
