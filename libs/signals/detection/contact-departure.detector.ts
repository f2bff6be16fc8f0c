import { Type } from '#kernel/values/schema.js';
import { moveFinding } from './career/career-finding.js';
import { isRecent, movesInWindow } from './career/job-changes.js';
import { oneInOrAny } from './career/titles.js';
import { detector } from './detector.js';

/** People who left a listed and covered customer, for any new employer, oldest first. */
export const contactDepartureDetector = detector({
  kind: 'contact_departure',
  signalTypes: ['newJob'],
  directions: ['single'],
  audiences: ['list_members', 'top_accounts', 'covered_accounts'],
  arrivals: ['person'],
  templates: [{ kind: 'job_change', signalTypes: ['newJob'], listType: 'customer' }],
  parameters: Type.Object({ job_titles: Type.Optional(Type.Array(Type.String())) }),
  async search(run) {
    const { watched, parameters } = run;
    const [listed, accounts, covered] = await Promise.all([
      watched.members(),
      watched.accounts(),
      watched.covered(),
    ]);
    if (listed === null) return null;
    const isAccount = accounts === null ? covered : new Set(accounts.filter((ref) => covered.has(ref)));
    const isTitled = oneInOrAny(parameters.job_titles);
    return movesInWindow(
      run,
      { fromCompanyRefs: listed.companyRefs.filter((ref) => isAccount.has(ref)) },
      (moves) =>
        moves.map((move) =>
          move.change !== 'promotion' && isTitled(move.previous?.title ?? null)
            ? moveFinding('newJob', move, move.previousCompany)
            : null,
        ),
      // Whether the new position is still held does not matter for a departure (D-28).
      async () => isRecent,
    );
  },
});
