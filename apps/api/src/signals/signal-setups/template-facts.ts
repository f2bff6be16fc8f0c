import type { TemplateFacts } from '#signals/domain/setups/setup-admission.js';
import type { SignalTemplateDocument } from '#projections/catalogue/signal-templates/signal-templates.projection.js';

/** What the rules of setups need of a template. */
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
