import { freshWorkspace, importFile, openingFile } from '../support/opening-files.js';
import { scene } from '../support/scene.js';
import type { TestWorkspace } from '../support/service.js';
import { balanceOf } from '../support/signal-runs.js';

const NOW = '2026-01-05T10:00:00.000Z';
const LINES = [
  { kind: 'lot', id: 'contract', credits: '100.5', granted_at: '2025-03-01' },
  { kind: 'lot', id: 'top-up', credits: 20 },
  { kind: 'lot', id: 'welcome', credits: 30, expires_at: '2026-03-01', promotional: true, priority: 10 },
  { kind: 'paid', subject: 'post:post:1' },
  { kind: 'paid', subject: 'lead:p:ana' },
  { kind: 'open_hold', id: 'h-1', credits: 10, held_at: '2026-01-04T08:00:00Z', what: 'export' },
  { kind: 'history', id: 'm-1', at: '2025-04-01', credits: -10, what: 'post' },
  { kind: 'history', id: 'm-2', at: '2025-05-01', credits: -20 },
];

describe('credits.import', () => {
  const service = scene({ at: NOW });

  /** The answer, and the types of the events that the import added. */
  async function imported(
    workspace: TestWorkspace | null,
    file: string,
    mode?: 'check' | 'dry_run' | 'commit',
  ) {
    const id = workspace?.id ?? null;
    const { status, body, added } = await service.recorded(() => importFile(service, id, file, mode));
    return { status, body, events: added };
  }

  it('IMP-01 checks a file, reports the effect of a commit, and imports it in one entry, recorded now', async () => {
    const workspace = await freshWorkspace(service);
    const file = openingFile(LINES, { open_holds: 1, history: 2 });
    const parity = [
      { what: 'credits that can be spent', closing: 150.5, opening: 150.5, equal: true },
      { what: 'credits without terms', closing: 120.5, opening: 120.5, equal: true },
      { what: 'credits in lots with terms', closing: 30, opening: 30, equal: true },
      { what: 'lots with terms', closing: 1, opening: 1, equal: true },
      { what: 'paid elsewhere', closing: 2, opening: 2, equal: true },
    ];
    const checked = await imported(null, file, 'check');
    expect([checked.status, checked.events]).toEqual([200, []]);
    expect(checked.body).toMatchObject({ ok: true, outcome: 'file is valid', workspace_id: null, parity });
    const tried = await imported(workspace, file, 'dry_run');
    expect([tried.status, tried.events]).toEqual([200, []]);
    expect(tried.body).toMatchObject({ ok: true, outcome: 'would be imported', movement_id: null, parity });
    const done = await imported(workspace, file);
    expect([done.status, done.events]).toEqual([200, ['PaidSubjectsStaged', 'OpeningImported']]);
    const { movement_id: opening } = done.body;
    const plain = { expires_at: null, priority: 50, promotional: false };
    expect(done.body).toEqual({
      ok: true,
      mode: 'commit',
      outcome: 'imported',
      workspace_id: workspace.id,
      system: 'old billing',
      closed_at: '2026-01-04T23:59:59.000Z',
      file_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      movement_id: expect.any(Number),
      revision: 1,
      recorded_at: NOW,
      parity,
      lots: [
        {
          id: 'contract',
          movement_id: opening,
          credits: 100.5,
          granted_at: '2025-03-01T00:00:00.000Z',
          ...plain,
        },
        { id: 'top-up', movement_id: opening, credits: 20, granted_at: null, ...plain },
        {
          id: 'welcome',
          movement_id: expect.any(Number),
          credits: 30,
          granted_at: null,
          expires_at: '2026-03-01T00:00:00.000Z',
          priority: 10,
          promotional: true,
        },
      ],
      not_imported: {
        open_holds: 1,
        held: 10,
        history: 2,
        history_from: '2025-04-01T00:00:00.000Z',
        history_to: '2025-05-01T00:00:00.000Z',
        holds: [{ id: 'h-1', credits: 10, held_at: '2026-01-04T08:00:00.000Z', what: 'export' }],
      },
    });
    expect(await balanceOf(workspace)).toMatchObject({
      balance: 150.5,
      granted: 150.5,
      expired: 0,
      expiring: [{ credits: 30, expires_at: '2026-03-01T00:00:00.000Z' }],
    });
    const again = await imported(workspace, file);
    expect([again.status, again.events]).toEqual([200, []]);
    expect(again.body).toEqual({ ...done.body, outcome: 'was imported before' });
  });

  const lot = { kind: 'lot', id: 'a', credits: 5 };
  const paid = { kind: 'paid', subject: 'post:post:1' };
  const month = { kind: 'paid_month', domain: 'acme.com', persona_id: 77, until: '2026-02-01' };
  /** The fault of each file, as `errors` names it. */
  const wrong: readonly (readonly [what: string, file: string, errors: object])[] = [
    [
      'a first line that is no closing',
      JSON.stringify(lot),
      { 'line 1 kind': ['the first line must be the closing'] },
    ],
    [
      'lines that are no JSON, no object and of no kind',
      `${openingFile([lot])}{"kind":\n[1]\n{"kind":"lots"}\n`,
      {
        'line 3': ['is not valid JSON in UTF-8'],
        'line 4': ['is not a JSON object'],
        'line 5 kind': ['must be one of closing, lot, paid, paid_month, open_hold, history'],
      },
    ],
    [
      'members that are missing, unknown and of the wrong shape',
      openingFile([{ kind: 'lot', id: 'a', credit: 5, credits: 5, priority: 101 }, { kind: 'paid' }]),
      {
        'line 2 credit': [
          'is not a member of a line of kind lot: kind, id, credits, granted_at, expires_at, priority, promotional',
        ],
        'line 2 priority': ['must be at most 100'],
        'line 3 subject': ['is required'],
      },
    ],
    [
      'amounts that are none, and times that are none',
      openingFile(
        [
          { ...lot, credits: '1e3' },
          { ...lot, id: 'b', expires_at: '2026-02-30' },
        ],
        { credits: 5 },
      ),
      {
        'line 2 credits': [
          'must be more than 0, a decimal number with at most six decimals, at most 1000000000',
        ],
        'line 3 expires_at': ['must be a date or an RFC 3339 timestamp'],
      },
    ],
    [
      'a closing that its lines do not come to',
      openingFile([lot, paid], { credits: '6', lots: 2, paid: 0, open_holds: 1, history: 1 }),
      {
        'line 1 lots': ['is 2, and the file has 1'],
        'line 1 paid': ['is 0, and the file has 1'],
        'line 1 open_holds': ['is 1, and the file has 0'],
        'line 1 history': ['is 1, and the file has 0'],
        'line 1 credits': ['is 6, and the lots add up to 5'],
      },
    ],
    [
      'what stands in it twice',
      openingFile([lot, lot, paid, { ...paid, agent_id: 1 }, paid]),
      { 'line 3 id': ['is also in line 2'], 'line 6 subject': ['is also in line 4'] },
    ],
    [
      'subjects that nothing here could have, and months of no company or of two',
      openingFile([
        { ...paid, subject: 'pots:1' },
        { ...paid, subject: 'post:' },
        { ...paid, agent_id: 1, signal_setup_id: 2 },
        { ...month, domain: 'no domain' },
        { ...month, handle: 'acme' },
        { ...paid, subject: 'move:p:ana:soon' },
        { ...paid, subject: 'profile:p:ana' },
        { ...paid, subject: 'profile:p:ana:2026-02-30' },
      ]),
      {
        'line 2 subject': [
          expect.stringContaining('is not a subject of this service: post:…, job_posting:…'),
        ],
        'line 3 subject': [expect.stringContaining('is not a subject of this service')],
        'line 4 signal_setup_id': ['cannot be combined with agent_id'],
        'line 5 domain': ['names no company'],
        'line 6 domain': ['either domain or handle names the company'],
        'line 7 subject': [expect.stringContaining('a move ends with its revision')],
        'line 8 subject': [expect.stringContaining('a profile with its day')],
        'line 9 subject': [expect.stringContaining('a profile with its day')],
      },
    ],
    [
      'two closings',
      `${openingFile([])}${openingFile([])}`,
      { 'line 2 kind': ['the closing is also in line 1'] },
    ],
  ];

  it.each(wrong)('IMP-01 names line and member of %s, and writes nothing', async (_what, file, errors) => {
    const workspace = await freshWorkspace(service);
    for (const mode of ['check', 'dry_run', 'commit'] as const) {
      const { status, body, events } = await imported(workspace, file, mode);
      expect([status, body.code ?? body.type, events]).toEqual([422, expect.anything(), []]);
      expect(body.errors).toEqual(errors);
    }
  });

  it('IMP-01 names lines that refer to unknown parts of the workspace, and times that do not fit', async () => {
    const workspace = await freshWorkspace(service);
    const file = openingFile(
      [
        { ...lot, expires_at: NOW },
        { ...lot, id: 'b', granted_at: '2026-02-01' },
        { ...paid, agent_id: 990 },
        { ...paid, signal_setup_id: 991 },
        month,
      ],
      { closed_at: '2026-02-01' },
    );
    expect((await imported(null, file, 'check')).status).toBe(200);
    for (const mode of ['dry_run', 'commit'] as const) {
      const { status, body, events } = await imported(workspace, file, mode);
      expect([status, events]).toEqual([422, []]);
      expect(body.errors).toEqual({
        'line 1 closed_at': ['must not lie in the future'],
        'line 2 expires_at': ['has passed: leave the lot out, and its credits out of the closing'],
        'line 3 granted_at': ['must not lie in the future'],
        'line 4 agent_id': ['is no agent of this workspace'],
        'line 5 signal_setup_id': ['is no signal setup of this workspace'],
        'line 6 persona_id': ['is no persona of this workspace'],
      });
    }
  });

  it('IMP-01 refuses a workspace with any movement, an unknown one, and invalid options', async () => {
    const file = openingFile([lot, paid]);
    const refusedFor = async (workspace: TestWorkspace) => {
      const { status, body, events } = await imported(workspace, file);
      return [status, body.detail, events];
    };
    const detail = 'An opening can be imported only into a workspace whose ledger has no movement.';
    const granted = await service.workspace({ credits: 1 });
    expect(await refusedFor(granted)).toEqual([409, detail, []]);
    const adjusted = await freshWorkspace(service);
    for (const credits of [5, -5])
      await service.ops('credits.adjust', { workspace_id: adjusted.id, credits, reason: 'x' });
    expect(await refusedFor(adjusted)).toEqual([409, detail, []]);
    const partner = (await service.ops('partner.create', { name: 'Reseller' })).body.partner_id;
    const billed = await freshWorkspace(service, { billing: 'partner', partner_id: partner });
    await service.ops('credits.hold', { workspace_id: billed.id, key: 'k', credits: 1, product: 'p' });
    expect(await refusedFor(billed)).toEqual([409, detail, []]);
    const other = await freshWorkspace(service);
    expect((await imported(other, openingFile([]))).status).toBe(200);
    expect(await refusedFor(other)).toEqual([409, detail, []]);
    expect((await importFile(service, 99_999, file)).status).toBe(404);
    expect((await importFile(service, null, file)).body.errors).toEqual({
      workspace_id: ['is required with mode commit'],
    });
    const typo = await importFile(service, 1, file, 'commit', { mode: 'comit' });
    expect([typo.status, typo.body.errors]).toEqual([
      422,
      { mode: ['must be one of check, dry_run, commit'] },
    ]);
    const noWorkspace = await importFile(service, null, file, 'commit', { workspace_id: 'x' });
    expect(noWorkspace.body.errors).toEqual({ workspace_id: ['must be an integer'] });
  });

  it('IMP-01 takes a ledger that has caps, rules and stops, and no movement', async () => {
    const workspace = await freshWorkspace(service);
    await service.ops('caps.set', {
      workspace_id: workspace.id,
      scope: 'workspace',
      period: 'day',
      limit: 50,
    });
    await service.ops('credits.recurring.add', {
      workspace_id: workspace.id,
      credits: 1,
      reason: 'free tier',
      every: 'month',
      from: '2026-02-01',
    });
    expect((await imported(workspace, openingFile([lot]))).body).toMatchObject({ ok: true });
    expect(await balanceOf(workspace)).toMatchObject({ balance: 5 });
  });

  it('IMP-01 names the operator, and every view of finance has the opening', async () => {
    const workspace = await freshWorkspace(service);
    const { body } = await imported(workspace, openingFile(LINES));
    const [, , welcome] = body.lots;
    const workspace_id = workspace.id;
    const statement = await service.ops('ledger.statement', { workspace_id, with: 'actor' });
    expect(statement.body.rows).toEqual([
      {
        movement_id: body.movement_id,
        revision: 1,
        at: NOW,
        kind: 'import',
        credits: 150.5,
        spend: 0,
        balance: 150.5,
        key: null,
        cause: expect.objectContaining({ kind: 'operator', reason: 'opening balance from old billing' }),
        product: null,
        payer: 'workspace',
        lots: [{ lot: welcome.movement_id, credits: 30 }],
        actor: { kind: 'operator', id: 'operator' },
      },
    ]);
    expect(statement.body).toMatchObject({
      opening: 0,
      closing: 150.5,
      expired: 0,
      lots: [{ lot: welcome.movement_id, free: 30, granted: 30, granted_at: '2026-01-04T23:59:59.000Z' }],
    });
    const shown = await service.ops('ledger.movement', { workspace_id, movement_id: body.movement_id });
    expect(shown.body).toMatchObject({
      kind: 'import',
      credits: 120.5,
      entries: [{ type: 'OpeningImported' }],
    });
    const lotShown = await workspace.call(`GET /api/v3/credits/movements/${welcome.movement_id}`);
    expect(lotShown.body.data).toMatchObject({ kind: 'import', credits: 30, status: 'posted' });
    const before = await service.ops('ledger.as_of', { workspace_id, at: NOW });
    expect(before.body.balance.balance).toBe(0);
    expect((await service.ops('ledger.as_of', { workspace_id, at: 1 })).body.balance.balance).toBe(150.5);
    expect((await service.ops('ledger.verify', { workspace_id })).body).toMatchObject({
      ok: true,
      revision: 1,
    });
    const corrected = await service.ops('credits.adjust', {
      workspace_id,
      credits: -0.5,
      reason: 'counted wrongly',
      corrects: body.movement_id,
    });
    expect([corrected.status, corrected.body.balance?.balance]).toEqual([200, 150]);
    expect((await service.ops('ledger.verify', { workspace_id })).body).toMatchObject({ ok: true });
  });

  it('IMP-01 is taken back as a whole while nothing of it is held or spent, and then another file is imported', async () => {
    const workspace = await freshWorkspace(service);
    const workspace_id = workspace.id;
    const file = openingFile(LINES);
    const reverse = () => service.ops('credits.reverse_import', { workspace_id, reason: 'wrong customer' });
    expect((await reverse()).body.detail).toBe('This workspace has no opening that was imported.');
    await imported(workspace, file);
    await service.ops('credits.hold', { workspace_id, key: 'k', credits: 1, product: 'p' });
    const used = await reverse();
    expect([used.status, used.body.detail]).toEqual([
      409,
      'Imported credits were held, spent, taken back or have expired: correct the balance by adjustments.',
    ]);
    await service.ops('credits.release', { workspace_id, key: 'k' });
    const reversed = await reverse();
    expect([reversed.status, reversed.body]).toEqual([
      200,
      expect.objectContaining({
        credits: 150.5,
        revision: 4,
        balance: expect.objectContaining({ balance: 0 }),
      }),
    ]);
    expect((await reverse()).status).toBe(404);
    expect((await imported(workspace, file)).body.detail).toMatch(/was imported and reversed/);
    // A released hold is still a movement.
    expect((await imported(workspace, openingFile([lot]))).status).toBe(409);
    const clean = await freshWorkspace(service);
    await imported(clean, file);
    await service.ops('credits.reverse_import', { workspace_id: clean.id, reason: 'wrong customer' });
    expect((await imported(clean, openingFile([lot]))).body).toMatchObject({ ok: true, outcome: 'imported' });
    const { body } = await service.ops('ledger.statement', { workspace_id: clean.id });
    expect(body.rows.map(({ kind, credits }: { kind: string; credits: number }) => [kind, credits])).toEqual([
      ['import', 150.5],
      ['reversal', -150.5],
      ['import', 5],
    ]);
    expect((await service.ops('ledger.verify', { workspace_id: clean.id })).body).toMatchObject({ ok: true });
    expect(await balanceOf(clean)).toMatchObject({ balance: 5, expiring: [] });
  });

  it('IMP-01 an opening of which a part has expired, was spent or was taken back is corrected by adjustments', async () => {
    for (const use of [
      (id: number) => service.ops('credits.withdraw', { workspace_id: id, credits: 1, reason: 'x' }),
      (id: number) => service.ops('credits.adjust', { workspace_id: id, credits: -1, reason: 'x' }),
      // Another grant pays for the correction, and the balance still covers the opening.
      async (workspace_id: number, corrects: number) => {
        await service.ops('credits.grant', { workspace_id, credits: 50, reason: 'x' });
        await service.ops('credits.adjust', { workspace_id, credits: -20, reason: 'x', corrects });
      },
      async (id: number) => {
        await service.ops('credits.hold', { workspace_id: id, key: 'k', credits: 1, product: 'p' });
        await service.ops('credits.capture', { workspace_id: id, key: 'k' });
      },
    ]) {
      const workspace = await freshWorkspace(service);
      const opening = await imported(workspace, openingFile(LINES));
      await use(workspace.id, opening.body.movement_id);
      const events = await service.eventsOf(async () => {
        const refused = await service.ops('credits.reverse_import', {
          workspace_id: workspace.id,
          reason: 'x',
        });
        expect(refused.status).toBe(409);
      });
      expect(events).toEqual([]);
    }
  });
});
