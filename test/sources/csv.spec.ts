import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '#ops/support/run-command.js';
import { sourceAdd } from '#sources/commands/source-add.js';
import { eventually } from '#test/projections/engine-fixture.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { detectionsOf, seeRunThrough, signalSetup } from '../support/signal-runs.js';
import { scene, sharedWorkspace } from '../support/scene.js';
import type { Answer } from '../support/service.js';

const PEOPLE = {
  kind: 'person',
  id: 'Record ID',
  columns: {
    handle: 'LinkedIn',
    first_name: 'First name',
    last_name: 'Last name',
    email: 'Email',
    country: 'Country',
    title: 'Job title',
    company_name: 'Company',
    company_domain: 'Website',
    start_date: 'Since',
  },
};
const HEADER = 'Record ID,First name,Last name,LinkedIn,Email,Country,Job title,Company,Website,Since';
const ANA = '1,Ana,Roy,ana-roy,ana@acme.example,France';
const BEN = '2,Ben,"O\'Neill, Jr.",,,Ireland,Gardener,Initech,,2020';

describe('sources of files', () => {
  // There are no outgoing requests: no contact is needed.
  const service = scene({
    at: '2026-01-05T10:00:00.000Z',
    network: [
      { kind: 'company', ref: 'c:globex', handle: 'globex', domains: ['globex.example'], name: 'Globex' },
      { kind: 'company', ref: 'c:acme', handle: 'acme', domains: ['acme.example'], name: 'Acme' },
    ],
  });
  const workspace = sharedWorkspace(service, { credits: 1_000 });
  const folder = temporaryFolder('csv');
  const at = (name: string): string => join(folder, name);

  beforeAll(async () => {
    await workspace.call('POST /api/v2/personas', { job_title: ['Sales'], location: ['France'] });
    await writeFile(at('mapping.json'), JSON.stringify(PEOPLE));
  });

  const add = (input: object): Promise<Answer> => service.ops('source.add', input);
  const file = async (name: string, ...rows: readonly string[]): Promise<string> => {
    await writeFile(at(name), `\ufeff${rows.join('\r\n')}\r\n`);
    return at(name);
  };
  const poll = async (id: number): Promise<Answer['body']> =>
    (await service.ops('source.poll', { source_id: id })).body;
  const polledOnce = async (id: number): Promise<Answer['body']> => {
    for (;;) {
      const { body } = await service.ops('source.show', { source_id: id });
      if (body.last_poll !== null) return body;
    }
  };
  /** Refused with this code, and nothing was recorded. */
  async function refused(command: string, input: object, expected: object): Promise<void> {
    let answer: Answer | undefined;
    const events = await service.eventsOf(async () => (answer = await service.ops(command, input)));
    expect([input, answer, events]).toEqual([input, expect.objectContaining(expected), []]);
  }

  it('SRC-10 a later export of people is a new revision: a job change, paid once, with its source', async () => {
    const url = await file('people.csv', HEADER, `${ANA},Head of Sales,Globex,globex.example,2024-03`, BEN);
    const tested = await service.ops('source.test', { url, mapping: PEOPLE });
    expect(tested.body).toMatchObject({ ok: true, kind: 'csv', items: 2, skipped: 0, wrong: [] });
    expect(tested.body.first[1]).toMatchObject({ kind: 'person', last_name: "O'Neill, Jr.", handle: null });
    const added = await add({ url, mapping: at('mapping.json'), name: 'CRM people' });
    expect(added.body).toMatchObject({
      kind: 'csv',
      board: url,
      warning: 'all workspaces share the content of the file',
    });
    const id = added.body.source_id;
    expect(await polledOnce(id)).toMatchObject({ items: 2, new: 2, changed: 0, errors: 0, status: 'active' });
    const setupId = await signalSetup(workspace, 'new-hire-in-target-role', {});
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({ matches_found: 0 });

    // An unchanged file is not read again.
    expect(await poll(id)).toMatchObject({ ok: true, items: 2, new: 0, changed: 0 });
    await service.setClock('2026-01-12T10:00:00.000Z');
    await file('people.csv', HEADER, `${ANA},VP Sales,Acme,acme.example,2026-01`, BEN);
    expect(await poll(id)).toMatchObject({ ok: true, items: 2, new: 0, changed: 1, skipped: 0 });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({ matches_found: 1 });
    const [found] = await detectionsOf(workspace, { agent_id: setupId });
    expect(found).toMatchObject({
      data: {
        change: 'new_company',
        previous: { title: 'Head of Sales', company_name: 'Globex' },
        current: { title: 'VP Sales', company_name: 'Acme', start_date: '2026-01' },
      },
      provenance: [{ kind: 'csv', name: 'CRM people', url: null, read_at: '2026-01-12T10:00:00.000Z' }],
    });
    // Rewritten with the same rows, or in another order, it is unchanged.
    await file('people.csv', HEADER, BEN, `${ANA},VP Sales,Acme,acme.example,2026-01`);
    expect(await poll(id)).toMatchObject({ items: 2, new: 0, changed: 0 });
    expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({ credits_spent: 0 });
    await service.ops('source.remove', { source_id: id });
  });

  it('SRC-10 uses the first of several rows with one id: the others are no job changes, paid at each reading', async () => {
    // An export with one row for each company of a person.
    const rows = [
      `9,Cy,Roy,cy-roy,,France,VP Sales,Globex,globex.example,`,
      ...Array.from({ length: 150 }, (_, id) => `${id + 100}${BEN.slice(1)}`),
      `9,Cy,Roy,cy-roy,,France,VP Sales,Acme,acme.example,`,
    ];
    const url = await file('associations.csv', HEADER, ...rows);
    const { body } = await add({ url, mapping: PEOPLE, poll: true });
    expect(body.first_poll).toMatchObject({ ok: true, items: 152, new: 151, changed: 0, skipped: 1 });
    const setupId = await signalSetup(workspace, 'new-hire-in-target-role', {});
    // Other files may have shown job changes.
    await seeRunThrough(service, workspace, setupId);
    for (const day of [13, 14, 15]) {
      await service.setClock(`2026-01-${day}T10:00:00.000Z`);
      await file('associations.csv', HEADER, ...rows, `${1_000 + day}${BEN.slice(1)}`);
      expect(await poll(body.source_id)).toMatchObject({ ok: true, items: 153, changed: 0, skipped: 1 });
      expect(await seeRunThrough(service, workspace, setupId)).toMatchObject({ credits_spent: 0 });
    }
    await service.ops('source.remove', { source_id: body.source_id });
  });

  it('reports the bytes of a file read so far, and the total', async () => {
    const url = await file(
      'long.csv',
      HEADER,
      ...Array.from({ length: 3_000 }, (_, id) => `${id}${BEN.slice(1)}`),
    );
    const { size } = await stat(url);
    const expected: string[] = [];
    const call = { operator: { name: 'ana', role: 'operator' } as const, correlationId: 'bytes' };
    const input = { url, mapping: PEOPLE, poll: true };
    const added = await runCommand(service.service.host, sourceAdd, input, call, ({ done, total, note }) =>
      expected.push(`${done} of ${total} ${note}`),
    );
    expect(added).toMatchObject({ first_poll: { ok: true, items: 3_000, new: 3_000 } });
    const steps = [...Array(Math.floor((size - 1) / 65_536)).keys()].map((step) => (step + 1) * 65_536);
    expect(expected).toEqual([...steps, size].map((done) => `${done} of ${size} bytes`));
    expect(expected.length).toBeGreaterThan(1);
    await service.ops('source.remove', { source_id: (added as { readonly source_id: number }).source_id });
  });

  it('takes a mapping as JSON in a text', async () => {
    const url = await file('inline.csv', HEADER, BEN);
    for (const mapping of [JSON.stringify(PEOPLE), `\n ${JSON.stringify(PEOPLE)}\n`, at('mapping.json')])
      expect((await service.ops('source.test', { url, mapping })).body).toMatchObject({ ok: true, items: 1 });
  });

  it('SRC-03 the same file is only one source', async () => {
    const url = await file('once.csv', HEADER, BEN);
    const first = await add({ url, mapping: PEOPLE });
    const source_id = first.body.source_id;
    await refused('source.add', { url, mapping: PEOPLE }, { status: 409 });
    await service.ops('source.remove', { source_id });
  });

  it.each([true, false])(
    'SRC-06 reads an unchanged file again that is added with another mapping (poll: %s)',
    async (isPolled) => {
      const url = await file(`again-${isPolled}.csv`, HEADER, `${ANA},CEO,Acme,acme.example,`, BEN);
      const first = await add({
        url,
        mapping: { ...PEOPLE, columns: { first_name: 'First name' } },
        poll: true,
      });
      expect(first.body.first_poll).toMatchObject({ ok: true, items: 2, new: 2 });
      await service.ops('source.remove', { source_id: first.body.source_id });
      const again = await add({ url, mapping: PEOPLE, poll: isPolled });
      const source_id = again.body.source_id;
      if (isPolled) expect(again.body.first_poll).toMatchObject({ ok: true, items: 2, new: 0, changed: 2 });
      // Otherwise a worker polls it.
      let shown: Answer['body'] = null;
      await eventually(async () => {
        shown = (await service.ops('source.show', { source_id })).body;
        return shown.changed === 2;
      });
      expect(shown).toMatchObject({ items: 2, new: 0, changed: 2, status: 'active' });
      await service.ops('source.remove', { source_id });
    },
  );

  it('SRC-06 reads a file with its new mapping that is added again while the removed source is read', async () => {
    const rows = Array.from({ length: 3_000 }, (_, id) => `${id}${BEN.slice(1)}`);
    const url = await file('during.csv', HEADER, ...rows);
    const again: Promise<Answer>[] = [];
    const addAgain = async (): Promise<Answer> => {
      const { body } = await service.ops('source.list', { page_size: 100 });
      const [{ source_id }] = body.sources.filter(({ name }: { name: string }) => name === 'Wrong mapping');
      await service.ops('source.remove', { source_id });
      return add({ url, mapping: PEOPLE, poll: true });
    };
    const call = { operator: { name: 'ana', role: 'operator' } as const, correlationId: 'during' };
    const mapping = { ...PEOPLE, columns: { first_name: 'First name' } };
    const input = { url, mapping, poll: true, name: 'Wrong mapping' };
    await runCommand(service.service.host, sourceAdd, input, call, () => {
      if (again.length === 0) again.push(addAgain());
    });
    const [answer] = await Promise.all(again);
    expect(answer?.body.first_poll).toMatchObject({ ok: true, items: 3_000, new: 0, changed: 3_000 });
    await service.ops('source.remove', { source_id: answer?.body.source_id });
  });

  it('reads companies and posts, in any encoding, and leaves out ambiguous values', async () => {
    const companies = at('companies.tsv');
    const rows =
      'id\tname\tsite\tstaff\n7\tMüller & Söhne\thttps://www.mueller.example/a\t1.200\n8\tNobody\t\t\n';
    await writeFile(companies, Buffer.from(rows, 'latin1'));
    const columns = { name: 'name', domain: 'site', employees: 'staff' };
    const mapping = { kind: 'company', id: 'id', columns, delimiter: '\t', encoding: 'iso-8859-1' };
    const { body } = await service.ops('source.test', { url: companies, mapping });
    expect(body).toMatchObject({ ok: true, items: 2, skipped: 1 });
    expect(body.first).toEqual([
      expect.objectContaining({
        name: 'Müller & Söhne',
        domains: ['https://www.mueller.example/a'],
        employees: 1_200,
      }),
    ]);
    const posts = await file(
      'posts.csv',
      'id,who,said,on',
      '1,acme,"Call me: +49 30 1234567 ""now""",2026-01-04',
      '2,nobody-known,Hello,yesterday',
      ',acme,Without an id,2026-01-04',
    );
    const of = { author_handle: 'who', text: 'said', published_at: 'on' };
    const read = await service.ops('source.test', {
      url: posts,
      mapping: { kind: 'post', id: 'id', columns: of },
    });
    expect(read.body).toMatchObject({ ok: true, items: 3, skipped: 1, without_date: 1 });
    expect(read.body.first).toMatchObject([
      { author_ref: 'c:acme', text: 'Call me: [phone] "now"', published_at: '2026-01-04T00:00:00.000Z' },
      { author_ref: null, text: 'Hello', published_at: null },
    ]);
  });

  it('a file that does not fit its mapping fails the reading and changes nothing', async () => {
    const cases: readonly (readonly [string, string | Uint8Array])[] = [
      ['has no column Record ID', 'Name,Email\nAna,a@b.example\n'],
      ['has Job title 2 times', `${HEADER},Job title\n${BEN},x\n`],
      ['is no CSV as mapped', `${HEADER}\n1,Ana\n`],
      ['is no CSV as mapped', `${HEADER}\n"1,Ana\n`],
      ['is not valid utf-8', Buffer.from(`${HEADER}\n1,\xc4na,,,,,,,,\n`, 'latin1')],
      ['has no row of column names', ''],
    ];
    for (const [why, text] of cases) {
      await writeFile(at('bad.csv'), text);
      const { body } = await service.ops('source.test', { url: at('bad.csv'), mapping: PEOPLE });
      expect([why, body]).toEqual([
        why,
        expect.objectContaining({ ok: false, wrong: [expect.stringContaining(why)] }),
      ]);
    }
    const { body } = await add({ url: at('bad.csv'), mapping: PEOPLE });
    expect(await polledOnce(body.source_id)).toMatchObject({ status: 'failing', items: 0, new: 0 });
    await rm(at('bad.csv'));
    expect(await poll(body.source_id)).toMatchObject({
      ok: false,
      error: `there is no file at ${at('bad.csv')}`,
    });
    await service.ops('source.remove', { source_id: body.source_id });
  });

  it('a mapping is refused when it is incomplete, or refers to an impossible row', async () => {
    const url = await file('mapped.csv', HEADER, BEN);
    const wrong = (mapping: unknown, message: string): Promise<void> =>
      refused(
        'source.add',
        { url, mapping },
        {
          status: 422,
          body: expect.objectContaining({ errors: { mapping: [expect.stringContaining(message)] } }),
        },
      );
    await wrong(undefined, 'is required');
    await wrong(at('none.json'), 'cannot be read');
    await wrong(' {"kind":"person"', 'is not JSON');
    await wrong('{"kind":"deal"}', 'one of company, person, post');
    await wrong({ ...PEOPLE, kind: 'deal' }, 'one of company, person, post');
    await wrong({ ...PEOPLE, id: '' }, 'must have an id');
    await wrong({ ...PEOPLE, colums: {} }, 'has no member colums (columns?)');
    await wrong({ ...PEOPLE, columns: { first_nam: 'x' } }, 'has first_nam, which a person does not have');
    await wrong({ ...PEOPLE, columns: { title: 'Job title' } }, 'handle or first_name or last_name');
    await wrong({ ...PEOPLE, delimiter: ';;' }, 'one character');
    await wrong({ ...PEOPLE, encoding: 'klingon' }, 'encoding');
    await refused('source.add', { url: at('none.csv'), mapping: PEOPLE }, { status: 422 });
    await refused('source.add', { url, mapping: PEOPLE, domain: 'acme.example' }, { status: 422 });
    await refused(
      'source.add',
      { url: 'https://jobs.lever.co/x', domain: 'x.example', shared: true },
      { status: 422 },
    );
  });

  it('SRC-10 the content of a file is visible to several workspaces only if it is shared', async () => {
    const url = await file('own.csv', HEADER, BEN);
    const { body } = await add({ url, mapping: PEOPLE, name: 'Own people' });
    const id = body.source_id;
    await polledOnce(id);
    await service.ops('source.remove', { source_id: id });
    // Its content stays, so that the removed source still counts.
    await refused(
      'workspace.create',
      { name: 'Second', create_key: 'second' },
      {
        status: 409,
        body: expect.objectContaining({ detail: expect.stringContaining(`source ${id} (Own people)`) }),
      },
    );
    const created = await service.ops('workspace.create', {
      name: 'Second',
      create_key: 'second',
      shared: true,
    });
    expect(created.status).toBe(200);
    expect((await service.ops('source.show', { source_id: id })).body).toMatchObject({ shared: true });
    expect((await service.ops('workspace.create', { name: 'Third' })).status).toBe(200);

    const other = await file('other.csv', HEADER, BEN);
    await refused(
      'source.add',
      { url: other, mapping: PEOPLE },
      {
        status: 409,
        body: expect.objectContaining({ detail: expect.stringContaining('more than one workspace') }),
      },
    );
    const shared = await add({ url: other, mapping: PEOPLE, shared: true });
    expect(shared.status).toBe(200);
    expect(await polledOnce(shared.body.source_id)).toMatchObject({ shared: true, new: 1 });
  });
});
