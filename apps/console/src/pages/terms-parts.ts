import { counted } from '#kernel/values/counted.js';
import { html, type Html } from '#http/page.js';
import { cells, numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { actionLink } from '../actions/action.js';
import { actionLinks, pageLinks, table } from '../layout.js';
import { moment, scopeWords } from '../parts.js';
import type { Visit } from '../visits.js';

/** The grants with terms that have credits left. */
export function lotsPart(id: number, answer: unknown): Html {
  const lots = rowsOf(answer, 'lots');
  if (lots.length === 0) return html``;
  return html`<section class="no-print">
    <h2>Lots</h2>
    ${table(
      'Grants with terms that have free or held credits, unsorted',
      [
        'Lot',
        'Granted (UTC)',
        'Expires (UTC)',
        { number: 'Priority' },
        'Promotional',
        { number: 'Granted' },
        { number: 'Free' },
        { number: 'Held' },
        { number: 'Spent' },
        { number: 'Withdrawn' },
        { number: 'Expired' },
      ],
      lots.map((lot) => [
        html`<a href="/console/workspaces/${id}/movements/${shown(lot, 'lot')}">${shown(lot, 'lot')}</a>`,
        moment(lot, 'granted_at'),
        moment(lot, 'expires_at'),
        ...cells(lot, 'priority', 'promotional'),
        ...cells(lot, 'granted', 'free', 'held', 'captured', 'withdrawn', 'expired'),
      ]),
      'There is none.',
    )}
  </section>`;
}

/** A page of the recurring grants, with the grants that they made. `here` is the address of the whole page. */
export function recurringPart({ may }: Visit, id: number, answer: unknown, here: string): Html {
  const grants = rowsOf(answer, 'recurring');
  const stop = (grant: AnswerPart): string =>
    actionLink('credits.recurring.stop', { workspace_id: id, rule_id: numberOf(grant, 'rule_id') });
  return html`<section class="no-print">
    <h2>Recurring grants</h2>
    ${actionLinks(may, [['credits.recurring.add', { workspace_id: id }, 'Add a recurring grant']])}
    ${table(
      counted(numberOf(partOf(answer), 'total'), 'recurring grant'),
      [
        'Grant',
        'Status',
        'Reason',
        'Every',
        { number: 'Credits' },
        { number: 'Ceiling' },
        'Next due (UTC)',
        { number: 'Given' },
        { number: 'Skipped' },
        'Action',
      ],
      grants.map((grant) => [
        ...cells(grant, 'rule_id', 'status', 'reason', 'every', 'credits', 'ceiling'),
        moment(grant, 'next_due'),
        ...cells(grant, 'given', 'skips'),
        may('credits.recurring.stop') && shown(grant, 'status') === 'active'
          ? html`<a href="${stop(grant)}">Stop</a>`
          : '',
      ]),
      'There is no recurring grant.',
    )}
    ${pageLinks(partOf(answer), `${here}&`, 'grants_page', 'the recurring grants')}
  </section>`;
}

/** The caps, with the spending under each. */
export function capsPart({ may }: Visit, id: number, answer: unknown): Html {
  const actions = (cap: AnswerPart): Html => {
    const given = { workspace_id: id, cap_id: numberOf(cap, 'id') };
    const scopeId = shown(cap, 'scope_id');
    const same = {
      ...given,
      scope: shown(cap, 'scope'),
      period: shown(cap, 'period'),
      ...(scopeId !== '-' && { scope_id: scopeId }),
    };
    return html`${may('caps.set') ? html`<a href="${actionLink('caps.set', same)}">Change</a> ` : ''}
    ${may('caps.remove') ? html`<a href="${actionLink('caps.remove', given)}">Remove</a>` : ''}`;
  };
  return html`<section class="no-print">
    <h2>Caps</h2>
    ${actionLinks(may, [['caps.set', { workspace_id: id }, 'Set a cap']])}
    ${table(
      'Limits of spending in a period',
      [
        'Cap',
        'Limits',
        'Period',
        'Set by',
        { number: 'Limit' },
        { number: 'Spent' },
        'Resets (UTC)',
        'Action',
      ],
      rowsOf(answer, 'caps').map((cap) => [
        shown(cap, 'id'),
        scopeWords(shown(cap, 'scope'), shown(cap, 'scope_id')),
        ...cells(cap, 'period', 'set_by', 'limit', 'spent'),
        moment(cap, 'resets_at'),
        actions(cap),
      ]),
      'There is no cap.',
    )}
  </section>`;
}
