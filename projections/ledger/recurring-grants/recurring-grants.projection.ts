import type { CreditPayloads } from '#ledger/domain/credits.events.js';
import { dueAt } from '#ledger/domain/recurring-facts.js';
import { fromStored, toStored } from '#kernel/values/credits.js';
import { projection } from '#kernel/projections/projection.js';
import { recordedAtOf } from '#kernel/events/recorded-at.js';
import { workspaceIdOf } from '#kernel/events/workspace-scope.js';

type Added = CreditPayloads['RecurringGrantAdded'];
type Skipped = Omit<CreditPayloads['RecurringGrantSkipped'], 'rule'>;

/** A recurring grant: its terms, the credits it gave, the skipped grants, and the next due time. */
export type RecurringGrantDocument = Omit<Added, 'rule'> & {
  readonly id: string;
  readonly workspaceId: number;
  readonly ruleId: number;
  readonly addedAt: string;
  readonly stoppedAt: string | null;
  /** Null after a stop or after the last grant. */
  readonly nextDue: string | null;
  readonly grants: number;
  readonly skips: number;
  /** Micro-credits as stored text. */
  readonly given: string;
  /** The newest skipped grants, oldest first. */
  readonly skipped: readonly Skipped[];
};

const recurringGrantKey = (workspaceId: number, ruleId: number): string => `${workspaceId}_${ruleId}`;

/** The number of skipped grants that are listed. */
const SKIPS_SHOWN = 50;

export const recurringGrants = projection<RecurringGrantDocument, CreditPayloads>()({
  name: 'recurring-grants',
  version: 1,
  indexes: {
    due: ['nextDue', 'id'],
    ofWorkspace: ['workspaceId', 'nextDue', 'id'],
    byRule: ['workspaceId', 'ruleId'],
  },
  onlyWith: { due: 'nextDue', ofWorkspace: 'nextDue' },
  key: (event) => {
    const rule =
      event.type === 'LotGranted'
        ? event.data.recurring?.rule
        : event.type === 'RecurringGrantAdded' ||
            event.type === 'RecurringGrantSkipped' ||
            event.type === 'RecurringGrantStopped'
          ? event.data.rule
          : undefined;
    return rule === undefined ? null : recurringGrantKey(workspaceIdOf(event), rule);
  },
  on: {
    RecurringGrantAdded: (_none, event) => {
      const { rule, ...terms } = event.data;
      const workspaceId = workspaceIdOf(event);
      return {
        ...terms,
        id: recurringGrantKey(workspaceId, rule),
        workspaceId,
        ruleId: rule,
        addedAt: recordedAtOf(event),
        stoppedAt: null,
        nextDue: dueAt(terms, 0),
        grants: 0,
        skips: 0,
        given: '0',
        skipped: [],
      };
    },
    LotGranted: (before, event) =>
      before &&
      passed({
        ...before,
        grants: before.grants + 1,
        given: toStored(fromStored(before.given) + fromStored(event.data.credits)),
      }),
    RecurringGrantSkipped: (before, event) => {
      if (before === null) return null;
      const { due, why } = event.data;
      const skipped = [...before.skipped, { due, why }].slice(-SKIPS_SHOWN);
      return passed({ ...before, skips: before.skips + 1, skipped });
    },
    RecurringGrantStopped: (before, event) =>
      before && { ...before, nextDue: null, stoppedAt: recordedAtOf(event) },
  },
});

const passed = (grant: RecurringGrantDocument): RecurringGrantDocument => ({
  ...grant,
  nextDue: dueAt(grant, grant.grants + grant.skips),
});
