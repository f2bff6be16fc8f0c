import type { ReferencePart } from '#http/reference.js';

/** Caps on spending. */
export const caps: readonly ReferencePart[] = [
  {
    of: ['Cap', 'CapBody', 'QuotedCap'],
    fields: {
      scope: [
        'The scope of the cap: the workspace, one signal setup, one agent, or the requests of one API key.',
      ],
      scope_id: ['Id of the signal setup, agent or API key; null if the scope is the workspace.', 17],
      period: ['The cap holds for each calendar day, ISO week or calendar month, in UTC.', 'month'],
      limit: ['Most credits that can be held in a period.', 500, 'credits'],
    },
  },
  {
    of: ['Cap', 'QuotedCap'],
    fields: {
      id: ['Id of the cap.', 3],
      spent: ['Credits held in the current period, less credits released in it.', 120, 'credits'],
      resets_at: ['When the next period begins, in UTC.', '2026-08-01T00:00:00.000Z'],
      set_by: ['Who set the cap; a cap of an operator can only be changed by an operator.'],
    },
  },
];
