import { counted } from '#kernel/values/counted.js';
import { Type } from '#kernel/values/schema.js';
import { DAY_MS } from '#kernel/values/durations.js';
import type { ObservedCompanyEvent } from '#network/network-source.port.js';
import { positionFrom } from '#network/position.js';
import { eventFinding, joined, numberField, textField } from './company-events.js';
import { detector, oneByOne } from './detector.js';
import { companySubjects } from './company-subjects.js';

/** Contracts of listed customers that end soon (D-73), by date. */
export const renewalDetector = detector({
  kind: 'renewal',
  signalTypes: ['deepSearch'],
  directions: ['single'],
  audiences: ['list_members', 'covered_accounts'],
  arrivals: [],
  templates: [{ kind: 'internal', signalTypes: ['deepSearch'], declares: ['days_before'] }],
  parameters: Type.Object({ days_before: Type.Integer() }),
  async search(run) {
    const [listed, covered] = await Promise.all([run.watched.members(), run.watched.accounts()]);
    if (listed === null || covered === null) return null;
    const isCovered = new Set(covered);
    const today = new Date(run.now.toISOString().slice(0, 10));
    const search = {
      events: ['renewal_due'] as const,
      companyRefs: listed.companyRefs.filter((ref) => isCovered.has(ref)),
      // A renewal is dated at the start of its day; today's renewals are included.
      after: new Date(today.getTime() - 1),
      until: new Date(today.getTime() + run.parameters.days_before * DAY_MS),
    };
    return {
      read: (resume, limit) => run.source.companyEvents({ ...search, position: positionFrom(resume), limit }),
      judge: oneByOne((event: ObservedCompanyEvent) => {
        const { company, fields } = event;
        const date = textField(fields, 'renewal_date');
        if (company === null || date === null) return null;
        // A renewal belongs to one workspace.
        if (numberField(fields, 'workspace_id') !== run.workspaceId) return null;
        const daysLeft = (Date.parse(date) - today.getTime()) / DAY_MS;
        return eventFinding(run, event, company, {
          ...companySubjects(company, (ref) => `renewal:${ref}:${date}`),
          signalDate: run.now.toISOString(),
          answer: joined([date, `in ${counted(daysLeft, 'day')}`]),
          facts: { renewal_date: date, days_left: daysLeft, contract: textField(fields, 'contract') },
        });
      }),
    };
  },
});
