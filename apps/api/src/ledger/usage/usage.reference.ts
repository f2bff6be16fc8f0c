import type { ReferencePart } from '#http/reference.js';

const MOVEMENTS = ['Movement', 'MovementDetail'];

/** What was charged, and why. */
export const usage: readonly ReferencePart[] = [
  {
    of: ['CreditMovement', ...MOVEMENTS],
    fields: {
      id: ['Id of the movement.', 412],
      created_at: ['When the credits were held, in UTC.'],
    },
  },
  {
    of: ['CreditMovement', 'Movement'],
    fields: {
      status: ['`held` while the work is running, then `captured` (spent) or `released` (given back).'],
      product: ['The charged product; new products may be added.', 'keyword_match'],
      credits: ['Its cost, never rounded.', 10, 'credits'],
    },
  },
  {
    of: ['CreditMovement'],
    fields: {
      signal_template_key: [
        "Key of the signal's template; null without one.",
        'competitor-content-engagement',
      ],
    },
  },
  {
    of: MOVEMENTS,
    fields: {
      ended_at: ['When it was captured or released, in UTC; null while it is held.'],
      payer: ['Who pays: the workspace, or a partner by its id.', 'workspace'],
      cause: ['The cause of the charge.'],
    },
  },
  {
    of: ['Movement'],
    fields: { key: ['Charge key: it is charged at most once.', 'launch:1:post:post:811'] },
  },
  {
    of: ['MovementDetail'],
    fields: {
      kind: ['A charge for work, or a posting: a grant, a withdrawal, a correction.'],
      status: ['`held`, then `captured` (spent) or `released` (given back); a posting is `posted`.'],
      product: ['The charged product; null for a posting.', 'keyword_match'],
      credits: ['Cost of a charge; for a posting the change of the available credits.', 10, 'credits'],
      key: [
        'Key of the charge or grant, used at most once; null for a posting without a key.',
        'launch:1:post:post:811',
      ],
      origin: ['The objects that the ids of the cause name now.'],
      corrections: ['Later corrections of this movement, the first hundred.'],
      entries: ['Its entries in the ledger, oldest first.'],
    },
  },
  {
    of: ['MovementCause'],
    fields: {
      kind: ['Kind of the cause.'],
      subject: ['The found subject, by its ref on the network.', 'post:post:811'],
      month: ['The month (UTC) of account monitoring that it paid.', '2026-07'],
      reason: ['Why an operator did it.', 'opening balance'],
      corrects: ['Id of the movement that this one corrects.', 411],
    },
  },
  {
    of: ['MovementOrigin'],
    fields: {
      signal: ['The paid signal, of several the one for which the charge was made; null without one.'],
      run: ['The run that found it; null without one.'],
      signal_setup: ['The signal setup; null without one or if it was deleted.'],
      agent: ['The agent; null without one or if it was deleted.'],
      company: ['The company; null without one.'],
      persona: ['The persona; null without one.'],
      wanted_by: [
        'Why the account was to be monitored when the month began, a hundred reasons at most; null for what was ' +
          'no month of monitoring.',
      ],
    },
  },
  {
    of: ['WantedBy'],
    fields: {
      kind: ['It is a member of a monitored list, or it was picked as a top account.', 'list'],
      list: ['The list; null for a pick.'],
      member_id: ['Id of the member of that list; null for a pick.', 31],
      account_id: ['Id of the picked top account; null if it was no pick.', 12],
    },
  },
  {
    of: ['OriginSignal'],
    fields: {
      id: ['Id of the detection.', 501],
      signal_type: ['Type of the detection.', 'keywordDetection'],
      detected_at: ['When it was detected, in UTC.'],
      source_url: [
        'Address of the post, interaction or job posting; null without a public one.',
        'https://www.network.example/posts/811',
      ],
      provenance: [
        'The readings of sources that showed it, at most 20; empty for what the operator piped in.',
      ],
    },
  },
  { of: ['OriginRun'], fields: { stage: ['Stage of the run.', 'completed'] } },
  {
    of: ['MovementCorrection'],
    fields: {
      at: ['When it was corrected, in UTC.'],
      credits: ['Change of the available credits by the correction.', -2.5, 'credits'],
      reason: ['Why.', 'charged twice'],
    },
  },
  {
    of: ['LedgerEntry'],
    fields: {
      revision: ['Revision in the ledger of the workspace, from 0.', 15, 'place'],
      type: ['What happened.', 'CreditsHeld'],
      recorded_at: ['When it was written, in UTC.'],
      actor: ['The actor.'],
      command_id: ['Id of the command; null if it has none.', 'run:1:batch:1:hold'],
      request_id: [
        'X-Request-Id of the request that caused it; null without a request.',
        '01a20377-016d-7311-839b-51cb434a9df5',
      ],
      reason: ['The reason that an operator gave; null without one.', 'opening balance'],
      credits: ['Of an expiry: the credits that expired; absent in other entries.', 2.5, 'credits'],
      hash: [
        'Seal of this entry and of all before it (SHA-256).',
        '661215fbc444f6e7f19314baa56374bb3a83a1dca3ea1fada4375bc9448b8234',
      ],
    },
  },
  {
    of: ['Actor'],
    fields: {
      kind: ['An API key, an operator, or background work.', 'process'],
      id: ['Which of them.', 'execute-signal-run'],
    },
  },
];
