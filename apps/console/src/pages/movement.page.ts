import { capitalized } from '#kernel/values/capitalized.js';
import { html, type Html } from '#http/page.js';
import { idParam } from '#http/parameters.js';
import { cells, partOf, rowsOf, shown, type AnswerPart } from '../answer.js';
import { subjectPage } from '../console-endpoints.js';
import type { Visit } from '../visits.js';
import { actionLinks, facts, figuresPart, table, workspaceNav } from '../layout.js';
import { atUtc, linkTo, marked, moment, movementLink, named, runLink } from '../parts.js';

export const WhyPage = subjectPage({
  route: 'GET /console/workspaces/:workspace_id/movements/:movement_id',
  summary: 'The cause of a movement, and its entries',
  params: { workspace_id: idParam(404), movement_id: idParam(404) },
  async show(visit, { workspace_id: id, movement_id: movementId }) {
    const { run, may, session } = visit;
    const movement = partOf(await run('ledger.movement', { workspace_id: id, movement_id: movementId }));
    const status = shown(movement, 'status');
    // Any other charge took nothing that a correction could give back (LED-10).
    const hasTaken = status === 'captured' && shown(movement, 'payer') === 'workspace';
    return {
      title: `Movement ${movementId}`,
      body: html`${workspaceNav(session, id, 'movements')}
        ${figuresPart([
          ['Credits', shown(movement, 'credits'), sentenceOf(movement)],
          ['Status', status, atUtc(movement, 'ended_at')],
          ['Paid by', shown(movement, 'payer')],
        ])}
        <h2>Why</h2>
        ${facts([
          ['Made (UTC)', moment(movement, 'created_at')],
          ['Charged once as', html`<code>${shown(movement, 'key')}</code>`],
          ['Priced by', priceRuleOf(movement, may('prices.list'))],
          ...causeFacts(id, partOf(movement, 'cause')),
          ...originFacts(id, partOf(movement, 'origin')),
        ])}
        ${lotsPart(id, rowsOf(movement, 'lots'))}
        ${await signalPart(visit, id, movementId, partOf(movement, 'origin', 'signal'))}
        ${actionLinks(may, [
          ...(hasTaken || shown(movement, 'kind') !== 'charge'
            ? [
                [
                  'credits.adjust',
                  { workspace_id: id, corrects: movementId },
                  'Correct this movement',
                ] as const,
              ]
            : []),
          ...(status === 'held'
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
          ['Movement', 'When (UTC)', 'Reason', { number: 'Credits' }],
          rowsOf(movement, 'corrections').map((each) => [
            movementLink(id, shown(each, 'movement_id')),
            moment(each, 'at'),
            ...cells(each, 'reason', 'credits'),
          ]),
          'None.',
        )}`,
    };
  },
});

/** The kind of a movement, in a few words. */
function sentenceOf(movement: AnswerPart): string {
  const kind = shown(movement, 'kind');
  // The rest of the imported credits is in other movements.
  if (kind === 'import') return 'import: the credits without terms, or those of one lot';
  return kind === 'charge' ? shown(movement, 'product') : kind;
}

/** The price of a charge: that of the item in its cause, at the time of the hold. */
function priceRuleOf(movement: AnswerPart, mayReadPrices: boolean): Html | string {
  if (shown(movement, 'kind') !== 'charge') return 'no price: it was posted';
  const cause = partOf(movement, 'cause');
  if (shown(cause, 'kind') === 'operator') return 'the operator who held it';
  const payer = shown(movement, 'payer');
  const of = payer === 'workspace' ? 'the list price' : `the rate of ${payer.replace(':', ' ')}`;
  const fixed = shown(cause, 'launch_id') === '-' ? 'when it was held' : 'fixed at the launch';
  const rule = `${of} of ${shown(movement, 'product').replaceAll('_', ' ')}, ${fixed}`;
  return mayReadPrices ? html`${rule} (<a href="/console/prices">prices of now</a>)` : rule;
}

/** Members of a cause that are shown with the names of the origin. */
const IN_ORIGIN = new Set(['run_id', 'signal_setup_id', 'agent_id', 'company_id', 'persona_id']);

/** The members of a movement's cause, each with a link to its object. */
const causeFacts = (id: number, cause: AnswerPart): readonly (readonly [string, Html | string])[] =>
  Object.keys(cause)
    .filter((name) => shown(cause, name) !== '-' && !IN_ORIGIN.has(name))
    .map((name) => {
      const value = shown(cause, name);
      const words = name.replaceAll('_', ' ').replace(/ id$/, '');
      if (name === 'kind') return ['Cause', value];
      if (name === 'corrects') return ['Corrects', movementLink(id, value)];
      if (name === 'launch_id')
        return [capitalized(words), linkTo(`/console/workspaces/${id}/charges?launch=${value}`, value)];
      return [capitalized(words), value];
    });

const charges = (id: number, kind: string, value: string): Html | string =>
  linkTo(`/console/workspaces/${id}/charges?${kind}=${value}`, 'all it was charged');

/** The current names of the ids in the cause. */
function originFacts(id: number, origin: AnswerPart): readonly (readonly [string, Html | string])[] {
  const objects = (
    [
      ['signal_setup', 'Signal setup', 'setup'],
      ['agent', 'Agent', 'agent'],
      ['company', 'Company', 'company'],
    ] as const
  ).flatMap(([member, title, kind]): readonly (readonly [string, Html])[] => {
    const known = partOf(origin, member);
    const value = shown(known, 'id');
    return value === '-'
      ? []
      : [[title, html`${named(shown(known, 'name'))} (${value}, ${charges(id, kind, value)})`]];
  });
  const run = partOf(origin, 'run');
  const persona = partOf(origin, 'persona');
  return [
    ...(shown(run, 'id') === '-'
      ? []
      : [['Run', html`${runLink(id, shown(run, 'id'))} (${shown(run, 'stage')})`] as const]),
    ...objects,
    ...(shown(persona, 'id') === '-' ? [] : [['Persona', personaName(persona)] as const]),
    ...rowsOf(origin, 'wanted_by').map((reason): readonly [string, string] => [
      'Wanted by',
      shown(reason, 'kind') === 'list'
        ? `list ${shown(partOf(reason, 'list'), 'name')}`
        : `a pick, account ${shown(reason, 'account_id')}`,
    ]),
  ];
}

const personaName = (persona: AnswerPart): Html | string =>
  shown(persona, 'name') === '-'
    ? `persona ${shown(persona, 'id')}`
    : html`${named(shown(persona, 'name'))} (${shown(persona, 'id')})`;

/** The lots that the credits came from; nothing if all of them were credit without terms. */
const lotsPart = (id: number, shares: readonly AnswerPart[]): Html =>
  shares.length === 0
    ? html``
    : html`<h2>From lots</h2>
        ${table(
          'The grants that these credits came from; the rest is credit without terms',
          ['Grant', 'End (UTC)', { number: 'Credits' }],
          shares.map((share) => [
            movementLink(id, shown(share, 'lot')),
            moment(share, 'expires_at'),
            shown(share, 'credits'),
          ]),
          'None.',
        )}`;

/** The text and source of the signal for which the charge was made; the charge may have paid for others, too. */
async function signalPart(visit: Visit, id: number, movementId: number, origin: AnswerPart): Promise<Html> {
  const signalId = shown(origin, 'id');
  if (signalId === '-') return html``;
  const signal = await visit.run('signal.show', { workspace_id: id, signal_id: Number(signalId) });
  const post = rowsOf(signal, 'post_text');
  const comment = rowsOf(signal, 'comment_text');
  const url = shown(origin, 'source_url');
  return html`<h2>The signal</h2>
    ${facts([
      [
        'Signal',
        html`<a href="/console/workspaces/${id}/signals/${signalId}"
          >${shown(origin, 'signal_type')} ${signalId}</a
        >`,
      ],
      ['Detected (UTC)', moment(origin, 'detected_at')],
      [
        'Paid together',
        linkTo(`/console/workspaces/${id}/signals?movement=${movementId}`, 'all signals of this movement'),
      ],
      ['Address of the source', url],
      ...rowsOf(origin, 'provenance').map((source): readonly [string, Html] => [
        'Read from',
        html`${named(shown(source, 'name'))} (${shown(source, 'kind')}), ${moment(source, 'read_at')} UTC`,
      ]),
    ])}
    ${post.length === 0 ? '' : html`<blockquote>${marked(signal, 'post_text')}</blockquote>`}
    ${comment.length === 0 ? '' : html`<blockquote>${marked(signal, 'comment_text')}</blockquote>`}`;
}

const entriesPart = (entries: readonly AnswerPart[]): Html =>
  table(
    'Entries of the ledger, with seals',
    [{ number: 'Revision' }, 'Entry', 'When (UTC)', 'Who', { number: 'Expired' }, 'Reason', 'Hash'],
    entries.map((entry) => [
      ...cells(entry, 'revision', 'type'),
      moment(entry, 'recorded_at'),
      `${shown(partOf(entry, 'actor'), 'kind')} ${shown(partOf(entry, 'actor'), 'id')}`,
      shown(entry, 'credits'),
      shown(entry, 'reason'),
      html`<code>${shown(entry, 'hash')}</code>`,
    ]),
    'None.',
  );
