import type { TemplateFacts } from '#signals/domain/setups/setup-admission.js';
import type { SignalTemplateDocument } from '#projections/catalogue/signal-templates/signal-templates.projection.js';

/** The facts about a template that the rules of setups need. */
export function templateFacts({ id, key, status, retired, content }: SignalTemplateDocument): TemplateFacts {
  return {
    id,
    key,
    name: content.name,
    status,
    retired,
    fields: content.fields,
    listType: content.detector.listType,
    requiresPersona: content.detector.requiresPersona,
    requiresTopAccounts: content.detector.requiresTopAccounts,
  };
}
