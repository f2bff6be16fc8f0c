import { counted } from '#kernel/values/counted.js';
import { html, type Html } from '#http/page.js';
import { idParam, integerQuery } from '#http/parameters.js';
import { cells, numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { subjectPage } from '../console-endpoints.js';
import { facts, table, workspaceNav, figuresPart } from '../layout.js';
import { address, further, linkTo, moment, movementLink, scopeWords, streamLink } from '../parts.js';
import { nameOf, stageBadge, TRIGGERS, wordOf } from './run-words.js';

export const RunPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/runs/:run_id',
  summary: 'One run: its limit, batches, dropped matches with the reason, and charges',
  params: { workspace_id: idParam(404), run_id: idParam(404) },
  query: {
    after: integerQuery({ minimum: 0, maximum: 1_000_000_000, otherwise: 0, invalid: 422 }),
  },
  async show({ run, may, session }, { workspace_id: id, run_id: runId, after }) {
    const [found, caps, charged] = await Promise.all([
      run('run.show', { workspace_id: id, run_id: runId, after_batch: after }),
      run('caps.list', { workspace_id: id }),
      run('ledger.movements', { workspace_id: id, run_id: runId, limit: MOST_CHARGES }),
    ]);
    const shownRun = partOf(found);
    const next = shown(shownRun, 'next_batch');
    const signals = address(`/console/workspaces/${id}/signals`, { run: runId });
    return {
      title: `Run ${runId}`,
      body: html`${workspaceNav(session, id, 'runs')}
        ${figuresPart([
          ['Stage', stageBadge(shownRun), reasonWords(shown(shownRun, 'reason'))],
          ['Found', html`<a href="${signals}">${shown(shownRun, 'found')}</a>`, 'signals'],
          ['Dropped', shown(shownRun, 'dropped'), 'could not be paid for'],
          ['Spent', shown(shownRun, 'credits_spent'), 'credits'],
          [
            'Limit of the launch',
            shown(shownRun, 'max_credits'),
            shown(shownRun, 'credits_left') === '-' ? 'none' : `${shown(shownRun, 'credits_left')} left`,
          ],
        ])}
        ${facts([
          [
            shown(shownRun, 'kind') === 'setup' ? 'Signal setup' : 'Agent',
            html`<a
              href="${address(`/console/workspaces/${id}/runs`, { agent: shown(shownRun, 'agent_id') })}"
              >${nameOf(shownRun)}</a
            >`,
          ],
          [
            'Launched (UTC)',
            html`${moment(shownRun, 'created_at')} ${wordOf(TRIGGERS, shown(shownRun, 'trigger'))}`,
          ],
          ['Ended (UTC)', moment(shownRun, 'completed_at')],
          ['Direction', shown(shownRun, 'direction')],
          ['Looks back', counted(shown(shownRun, 'lookback_days'), 'day')],
          [
            'Launch',
            linkTo(
              address(`/console/workspaces/${id}/charges`, { launch: shown(shownRun, 'launch_id') }),
              shown(shownRun, 'launch_id'),
            ),
          ],
          ...(may('log.stream') ? [['Events', streamLink(shown(shownRun, 'stream'))] as const] : []),
        ])}
        <h2>Batches</h2>
        ${table(
          'What was found, and what was dropped and why',
          [
            { number: 'Batch' },
            'Prepared (UTC)',
            'Recorded (UTC)',
            { number: 'Matches' },
            { number: 'Dropped' },
            'Why',
          ],
          rowsOf(found, 'batches').map((batch) => [
            shown(batch, 'batch'),
            moment(batch, 'prepared_at'),
            moment(batch, 'completed_at'),
            ...cells(batch, 'matches', 'dropped'),
            whyOf(batch),
          ]),
          'No batch yet.',
        )}
        ${further(
          next === '-' ? null : address(`/console/workspaces/${id}/runs/${runId}`, { after: next }),
          'Later batches',
        )}
        <h2>Caps of the workspace</h2>
        ${capsTable(rowsOf(caps, 'caps'))}
        <h2>Charged</h2>
        ${chargesTable(id, charged)}
        <p>
          <a href="${address(`/console/workspaces/${id}/charges`, { run: runId })}"
            >All charges of this run</a
          >
        </p>`,
    };
  },
});

const MOST_CHARGES = 100;

const CUT_BY: { readonly [by: string]: string } = {
  balance: 'the balance did not cover them',
  cap: 'a cap on spending did not allow them',
  budget: 'the limit of the launch was reached',
};

const whyOf = (batch: AnswerPart): string =>
  [CUT_BY[shown(batch, 'cut_by')] ?? '', shown(batch, 'incomplete')]
    .filter((why) => why !== '' && why !== '-')
    .join('; ');

const REASONS: { readonly [reason: string]: string } = {
  insufficient_credits: 'the balance ran out',
  cap: 'a cap on spending was reached',
  max_credits: 'the limit of the launch was reached',
  cancelled: 'it was cancelled',
};

const reasonWords = (reason: string): string => (reason === '-' ? '' : (REASONS[reason] ?? reason));

const capsTable = (caps: readonly AnswerPart[]): Html =>
  table(
    'Caps that apply now',
    ['Cap', 'About', 'Each', { number: 'Spent' }, { number: 'Limit' }, 'Resets (UTC)'],
    caps.map((cap) => [
      shown(cap, 'id'),
      scopeWords(shown(cap, 'scope'), shown(cap, 'scope_id')),
      ...cells(cap, 'period', 'spent', 'limit'),
      moment(cap, 'resets_at'),
    ]),
    'The workspace has none.',
  );

function chargesTable(id: number, charged: unknown): Html {
  const rows = rowsOf(charged, 'movements');
  const more = numberOf(partOf(charged), 'next') > 0;
  return table(
    more ? `The newest ${rows.length} movements` : counted(rows.length, 'movement'),
    ['Movement', 'Held (UTC)', 'Status', 'Held for', { number: 'Credits' }],
    rows.map((row) => [
      movementLink(id, shown(row, 'id')),
      moment(row, 'created_at'),
      shown(row, 'status'),
      html`<code>${shown(row, 'key')}</code>`,
      shown(row, 'credits'),
    ]),
    'Nothing.',
  );
}
