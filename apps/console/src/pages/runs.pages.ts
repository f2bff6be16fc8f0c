import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html, type Html } from '#http/page.js';
import { idParam, idQuery, integerQuery, oneOfQuery } from '#http/parameters.js';
import { numberOf, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { CONSOLE, type Desk } from '../desk.js';
import { facts, table, workspaceNav, figuresPart } from '../layout.js';
import {
  address,
  badge,
  choice,
  further,
  moment,
  movementLink,
  pager,
  runLink,
  streamLink,
} from '../parts.js';
import { workspaceName } from '../workspace.js';

const params = { workspace_id: idParam(404) };
const query = {
  page: integerQuery({ minimum: 1, maximum: 1_000_000, otherwise: 1, invalid: 422 }),
  agent: idQuery(422),
  stage: oneOfQuery({
    values: ['', 'running', 'completed', 'completed_partial', 'failed'],
    invalid: 422,
    otherwise: '',
  }),
  trigger: oneOfQuery({ values: ['', 'manual', 'schedule', 'monitoring'], invalid: 422, otherwise: '' }),
};

const STAGES = [
  ['', 'any'],
  ['running', 'running'],
  ['completed', 'completed'],
  ['completed_partial', 'completed in part'],
  ['failed', 'failed'],
] as const;
const TRIGGERS = [
  ['', 'any'],
  ['manual', 'by hand or API'],
  ['schedule', 'by schedule'],
  ['monitoring', 'by monitoring'],
] as const;

const wordOf = (words: readonly (readonly [string, string])[], value: string): string =>
  words.find(([known]) => known === value)?.[1] ?? value;

@Endpoint({
  caller: 'public',
  route: 'GET /console/workspaces/:workspace_id/runs',
  summary: 'The runs of a workspace, newest first',
  params,
  query,
  html: true,
  otherStatuses: [303, 403, 404, 422],
})
export class RunsPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({
    params: { workspace_id: id },
    query: { page, agent, stage, trigger },
    ...asked
  }: PublicRequest<undefined, typeof query, typeof params>) {
    return this.desk.page(asked, async (visit) => {
      const answer = await visit.run('run.list', {
        workspace_id: id,
        page,
        ...(agent !== null && { agent_id: agent }),
        ...(stage !== '' && { stage }),
        ...(trigger !== '' && { trigger }),
      });
      const path = `/console/workspaces/${id}/runs`;
      return {
        title: `Runs of ${await workspaceName(visit, id)}`,
        body: html`${workspaceNav(visit.session, id, 'runs')}
          <form class="filter" method="get" action="${path}">
            ${choice('stage', 'Stage', STAGES, stage)} ${choice('trigger', 'Launched', TRIGGERS, trigger)}
            <label
              >Agent or setup (id) <input name="agent" inputmode="numeric" size="8" value="${agent ?? ''}"
            /></label>
            <button>Show</button>
          </form>
          ${table(
            `${shown(partOf(answer), 'total')} runs`,
            [
              { name: 'Run' },
              { name: 'Launched (UTC)' },
              { name: 'Agent or setup' },
              { name: 'Launched' },
              { name: 'Stage' },
              { name: 'Found', isNumber: true },
              { name: 'Dropped', isNumber: true },
              { name: 'Spent', isNumber: true },
              { name: 'Limit', isNumber: true },
            ],
            rowsOf(answer, 'runs').map((row) => [
              runLink(id, shown(row, 'run_id')),
              moment(row, 'created_at'),
              html`<a href="${address(path, { agent: shown(row, 'agent_id') })}">${nameOf(row)}</a>`,
              wordOf(TRIGGERS, shown(row, 'trigger')),
              stageBadge(row),
              html`<a href="${address(`/console/workspaces/${id}/signals`, { run: shown(row, 'run_id') })}"
                >${shown(row, 'found')}</a
              >`,
              shown(row, 'dropped'),
              shown(row, 'credits_spent'),
              shown(row, 'max_credits'),
            ]),
            'There is no such run.',
          )}
          ${pager(answer, path, { agent, stage, trigger })}`,
      };
    });
  }
}

const runParams = { workspace_id: idParam(404), run_id: idParam(404) };
const runQuery = {
  after: integerQuery({ minimum: 0, maximum: 1_000_000_000, otherwise: 0, invalid: 422 }),
};

@Endpoint({
  caller: 'public',
  route: 'GET /console/workspaces/:workspace_id/runs/:run_id',
  summary: 'One run: its limit, its batches, what was dropped and why, and what it was charged',
  params: runParams,
  query: runQuery,
  html: true,
  otherStatuses: [303, 403, 404, 422],
})
export class RunPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({
    params: { workspace_id: id, run_id: runId },
    query: { after },
    ...asked
  }: PublicRequest<undefined, typeof runQuery, typeof runParams>) {
    return this.desk.page(asked, async ({ run, session }) => {
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
              'Launched',
              html`${moment(shownRun, 'created_at')} ${wordOf(TRIGGERS, shown(shownRun, 'trigger'))}`,
            ],
            ['Ended', moment(shownRun, 'completed_at')],
            ['Direction', shown(shownRun, 'direction')],
            ['Looks back', `${shown(shownRun, 'lookback_days')} days`],
            ['Launch', shown(shownRun, 'launch_id')],
            ['Events', streamLink(shown(shownRun, 'stream'))],
          ])}
          <h2>Batches</h2>
          ${table(
            'What was found, and what was dropped and why',
            [
              { name: 'Batch', isNumber: true },
              { name: 'Prepared (UTC)' },
              { name: 'Recorded (UTC)' },
              { name: 'Matches', isNumber: true },
              { name: 'Dropped', isNumber: true },
              { name: 'Why' },
            ],
            rowsOf(found, 'batches').map((batch) => [
              shown(batch, 'batch'),
              moment(batch, 'prepared_at'),
              moment(batch, 'completed_at'),
              shown(batch, 'matches'),
              shown(batch, 'dropped'),
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
          ${chargesTable(id, charged)}`,
      };
    });
  }
}

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
  cancelled: 'somebody stopped it',
};

const reasonWords = (reason: string): string => (reason === '-' ? '' : (REASONS[reason] ?? reason));

const nameOf = (row: AnswerPart): string =>
  shown(row, 'agent_name') === '-' ? `agent ${shown(row, 'agent_id')}, deleted` : shown(row, 'agent_name');

function stageBadge(row: AnswerPart): Html {
  const stage = shown(row, 'stage');
  const kind = stage === 'completed' ? 'good' : stage === 'running' ? 'plain' : 'bad';
  return badge(kind, wordOf(STAGES, stage));
}

const capsTable = (caps: readonly AnswerPart[]): Html =>
  table(
    'What spending is held to now',
    [
      { name: 'Cap' },
      { name: 'About' },
      { name: 'Each' },
      { name: 'Spent', isNumber: true },
      { name: 'Limit', isNumber: true },
      { name: 'Begins anew (UTC)' },
    ],
    caps.map((cap) => [
      shown(cap, 'id'),
      shown(cap, 'scope') === 'workspace'
        ? 'the workspace'
        : `${shown(cap, 'scope').replaceAll('_', ' ')} ${shown(cap, 'scope_id')}`,
      shown(cap, 'period'),
      shown(cap, 'spent'),
      shown(cap, 'limit'),
      moment(cap, 'resets_at'),
    ]),
    'The workspace has none.',
  );

function chargesTable(id: number, charged: unknown): Html {
  const rows = rowsOf(charged, 'movements');
  const more = numberOf(partOf(charged), 'next') > 0;
  return table(
    more ? `The newest ${rows.length} movements` : `${rows.length} movements`,
    [
      { name: 'Movement' },
      { name: 'Held (UTC)' },
      { name: 'Status' },
      { name: 'Held for' },
      { name: 'Credits', isNumber: true },
    ],
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
