import type {
  CatalogueEvents,
  TemplateContent,
  TemplateStatus,
} from '#catalogue/domain/templates/catalogue.events.js';
import { projection } from '#kernel/projections/projection.js';

/**
 * A signal template as it was defined and revised. Its answer is `content` in the API's words plus the prices,
 * which depend on who asks.
 */
export type SignalTemplateDocument = {
  readonly id: number;
  readonly key: string;
  readonly version: number;
  readonly status: TemplateStatus;
  readonly retired: boolean;
  readonly retiredAt: string | null;
  readonly displayOrder: number;
  readonly content: TemplateContent;
};

/** By template id. Retired templates stay: they still resolve by id. */
export const signalTemplates = projection<SignalTemplateDocument, CatalogueEvents>()({
  name: 'signal-templates',
  version: 1,
  indexes: {
    live: ['retired', 'status', 'displayOrder', 'id'],
    offered: ['retired', 'displayOrder', 'id'],
    byKey: ['key'],
  },
  key: (event) => (event.type === 'BucketDefined' ? null : String(event.data.templateId)),
  on: {
    TemplateDefined: (_, { data: { templateId, key, status, content } }) => ({
      id: templateId,
      key,
      version: 1,
      status,
      retired: false,
      retiredAt: null,
      displayOrder: content.displayOrder,
      content,
    }),
    TemplateRevised: (template, { data: { version, changes } }) => {
      if (template === null) return null;
      const content = { ...template.content, ...changes };
      return { ...template, version, content, displayOrder: content.displayOrder };
    },
    TemplateReleased: (template) => template && { ...template, status: 'live' },
    TemplateWithdrawn: (template) => template && { ...template, status: 'coming_soon' },
    TemplateRetired: (template, { data }) =>
      template && { ...template, retired: true, retiredAt: data.retiredAt },
    TemplateReinstated: (template) => template && { ...template, retired: false, retiredAt: null },
  },
});
