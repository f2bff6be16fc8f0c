import { Nullable, Timestamp, Type } from '#kernel/values/schema.js';
import { schemaComponents } from './openapi-components.js';
import { noReference } from './reference.js';
import { webhooksOf } from './openapi-webhooks.js';

describe('the events of the OpenAPI document', () => {
  it('need an example of every field: the fault names the event, the schema and the field', () => {
    const data = Nullable(Type.Object({ archived_at: Timestamp }, { title: 'ArchivedPersona' }));
    const webhook = {
      name: 'persona.archived',
      summary: 'A persona was archived',
      description: 'Once each time.',
      tag: 'webhook-endpoints',
      body: Type.Object(
        { type: Type.Literal('persona.archived'), data },
        { title: 'PersonaArchivedDelivery' },
      ),
    };
    expect(() => webhooksOf([webhook], schemaComponents(noReference))).toThrow(
      'archived_at of ArchivedPersona has no example, which the event persona.archived shows: describe it in a .reference.ts file',
    );
  });
});
