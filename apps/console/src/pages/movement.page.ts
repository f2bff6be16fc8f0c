import { Inject } from '@nestjs/common';
import { Endpoint, type PublicRequest } from '#http/endpoint.js';
import { html, type Html } from '#http/page.js';
import { idParam } from '#http/parameters.js';
import { partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { CONSOLE, type Desk } from '../desk.js';
import { actionLinks, facts, table, workspaceNav } from '../layout.js';

const params = { workspace_id: idParam(404), movement_id: idParam(404) };

@Endpoint({
  caller: 'public',
  route: 'GET /console/workspaces/:workspace_id/movements/:movement_id',
  summary: 'Why a movement was made, and its entries',
  params,
  html: true,
  otherStatuses: [303, 403, 404, 422],
})
export class WhyPage {
  constructor(@Inject(CONSOLE) private readonly desk: Desk) {}

  handle({
    params: { workspace_id: id, movement_id: movementId },
    ...asked
  }: PublicRequest<undefined, object, typeof params>) {
    return this.desk.page(asked, async ({ run, may, session }) => {
      const movement = partOf(await run('ledger.movement', { workspace_id: id, movement_id: movementId }));
      return {
        title: `Movement ${movementId}`,
        body: html`${workspaceNav(session, id, 'movements')}
          ${facts([
            ['What', shown(movement, 'kind')],
            ['Status', shown(movement, 'status')],
            ['Product', shown(movement, 'product')],
            ['Credits', shown(movement, 'credits')],
            ['Paid by', shown(movement, 'payer')],
            ['Made', shown(movement, 'created_at')],
            ['Ended', shown(movement, 'ended_at')],
            ['Charged once as', html`<code>${shown(movement, 'key')}</code>`],
          ])}
          <h2>Why</h2>
          ${facts([...members(partOf(movement, 'cause')), ...origins(partOf(movement, 'origin'))])}
          ${actionLinks(may, [
            ['credits.adjust', { workspace_id: id, corrects: movementId }, 'Correct this movement'],
            ...(shown(movement, 'status') === 'held'
              ? [
                  [
                    'credits.release',
                    { workspace_id: id, movement_id: movementId },
                    'Release the hold',
                  ] as const,
                ]
              : []),
          ])}
          <h2>Entries</h2>
          ${entriesPart(rowsOf(movement, 'entries'))}
          <h2>Corrections</h2>
          ${table(
            'Later movements that correct this one',
            [{ name: 'Movement' }, { name: 'When (UTC)' }, { name: 'Credits', isNumber: true }],
            rowsOf(movement, 'corrections').map((each) => [
              html`<a href="/console/workspaces/${id}/movements/${shown(each, 'movement_id')}"
                >${shown(each, 'movement_id')}</a
              >`,
              shown(each, 'at'),
              shown(each, 'credits'),
            ]),
            'None.',
          )}`,
      };
    });
  }
}

/** The members that a cause has, each under its name. */
const members = (cause: AnswerPart): readonly (readonly [string, string])[] =>
  Object.keys(cause)
    .filter((name) => shown(cause, name) !== '-')
    .map((name) => [name.replaceAll('_', ' '), shown(cause, name)]);

/** What the ids of the cause are called now. */
function origins(origin: AnswerPart): readonly (readonly [string, Html | string])[] {
  return Object.keys(origin).flatMap((name): readonly (readonly [string, Html | string])[] => {
    const known = partOf(origin, name);
    const words = ['name', 'signal_type', 'stage', 'source_url'].filter((each) => shown(known, each) !== '-');
    if (words.length === 0) return [];
    return [
      [
        `${name.replaceAll('_', ' ')} ${shown(known, 'id')}`,
        words.map((each) => shown(known, each)).join(', '),
      ],
    ];
  });
}

const entriesPart = (entries: readonly AnswerPart[]): Html =>
  table(
    'Entries of the ledger, with seals',
    [
      { name: 'Revision', isNumber: true },
      { name: 'Entry' },
      { name: 'When (UTC)' },
      { name: 'Who' },
      { name: 'Reason' },
      { name: 'Hash' },
    ],
    entries.map((entry) => [
      shown(entry, 'revision'),
      shown(entry, 'type'),
      shown(entry, 'recorded_at'),
      `${shown(partOf(entry, 'actor'), 'kind')} ${shown(partOf(entry, 'actor'), 'id')}`,
      shown(entry, 'reason'),
      html`<code>${shown(entry, 'hash')}</code>`,
    ]),
    'None.',
  );
