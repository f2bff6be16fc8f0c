import { fieldError } from '#kernel/values/refusal.js';
import { Type } from '#kernel/values/schema.js';
import { catalogue, setAvailability, unknownTemplateKey } from '#catalogue/domain/templates/catalogue.js';
import { TemplateStatus } from '#catalogue/domain/templates/catalogue.events.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { CATALOGUE_ID } from './apply-catalogue.js';

export const catalogueStatus = operatorCommand({
  name: 'catalogue.status',
  summary: 'Release, withdraw, retire or reinstate one signal template; a later sync does not change that',
  input: Type.Object({
    key: described('key of the signal template', Type.String({ minLength: 1 })),
    status: Type.Optional(described('live releases it, coming_soon withdraws it', TemplateStatus)),
    retired: Type.Optional(described('true retires it, false reinstates it', Type.Boolean())),
  }),
  output: Type.Object({ key: Type.String(), status: TemplateStatus, retired: Type.Boolean() }),
  async run(host, { key, status, retired }, context) {
    const now = host.clock.now().toISOString();
    if ((status === undefined) === (retired === undefined)) {
      throw invalidInput({ errors: fieldError('status', 'give either a status or retired') });
    }
    const wish = status === undefined ? { retired: retired === true } : { status };
    const decision = setAvailability({ key, now, ...wish });
    const { answer } = await host.commands.handle(catalogue, CATALOGUE_ID, decision, {
      context,
      answer: (state) => {
        const template = state.templates.get(key);
        if (template === undefined) throw unknownTemplateKey();
        return { key, status: template.status, retired: template.retired };
      },
    });
    return answer;
  },
});
