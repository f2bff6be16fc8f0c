import { expectNone } from '#test/house/expect-none.js';
import {
  changedForms,
  changedGoldens,
  FORMS_FILE,
  formsOfToday,
  formsToWrite,
  writtenForms,
} from './stored-forms.js';

describe('the documents and states that installations have stored', () => {
  const written = writtenForms();

  it('are what today’s code makes of the same events, unless their version is another one', async () => {
    const today = await formsOfToday((file) => file in written.goldens);
    expect(Object.keys(today.readModels).length).toBeGreaterThan(50);
    expect(Object.keys(today.snapshots)).toEqual(expect.arrayContaining(['credits']));
    expectNone(
      changedForms(written, today),
      'raise `version` of these read models (docs/projections.md, 5) or `stateVersion` of these deciders, then run npm run docs; ' +
        `of a version that no release has, delete the entry in ${FORMS_FILE} instead`,
    );
  });

  it('differ with every change of a document, an index or a state', async () => {
    const today = await formsOfToday((file) => file in written.goldens);
    const otherHash = ([name, form]: [string, { version: number; hash: string }]) => [
      name,
      { ...form, hash: '' },
    ];
    const others = (forms: object) => Object.fromEntries(Object.entries(forms).map(otherHash));
    const before = {
      ...written,
      readModels: others(written.readModels),
      snapshots: others(written.snapshots),
    };
    const all = [...Object.keys(today.readModels), ...Object.keys(today.snapshots)];
    const known = { ...written.readModels, ...written.snapshots };
    expect(changedForms(before, today)).toEqual(all.filter((name) => Object.hasOwn(known, name)));
    expect(await formsToWrite(before)).toMatchObject({
      readModels: before.readModels,
      snapshots: before.snapshots,
    });
  });

  it('differ with every event type that changes documents: a process of before would pass over it', async () => {
    const today = await formsOfToday((file) => file in written.goldens);
    expect(today.readModels['audit-log']?.types).toEqual(expect.arrayContaining(['LotAdjusted']));
    expect(today.readModels['credit-movements']?.types).toEqual([
      'CreditsCaptured',
      'CreditsHeld',
      'CreditsReleased',
    ]);
    const without = Object.entries(written.readModels).map(([name, { types = [], ...form }]) => [
      name,
      { ...form, types: types.filter((type) => type !== 'LotAdjusted') },
    ]);
    const before = { ...written, readModels: Object.fromEntries(without) };
    expect(changedForms(before, today)).toEqual([
      'account-pipelines',
      'audit-log',
      'credit-balances',
      'credit-days',
      'credit-outlooks',
      'credit-postings',
      'monitoring-work',
    ]);
    expect(await formsToWrite(before)).toMatchObject({ readModels: before.readModels });
  });

  it('keep every golden payload as it was written down: installations have such events', async () => {
    const today = await formsOfToday(() => true);
    expect(Object.keys(today.goldens).length).toBeGreaterThan(150);
    expectNone(
      changedGoldens(written, today),
      'restore these golden payloads, and write the new shape as another version or variant (docs/commands.md, 3); ' +
        `if no release has the event, delete its line in ${FORMS_FILE} and run npm run docs`,
    );
    const [file = ''] = Object.keys(today.goldens);
    const edited = { ...today, goldens: { ...today.goldens, [file]: '' } };
    expect(changedGoldens(edited, today)).toEqual([file]);
    expect((await formsToWrite(edited)).goldens).toEqual(edited.goldens);
    const { [file]: _removed, ...others } = today.goldens;
    expect(changedGoldens(today, { ...today, goldens: others })).toEqual([file]);
  });

  it('are written down for every version and every golden payload', async () => {
    const wanted = await formsToWrite(written);
    const unwritten = (['goldens', 'readModels', 'snapshots'] as const).flatMap((part) =>
      Object.keys(wanted[part]).filter(
        (name) => JSON.stringify(wanted[part][name]) !== JSON.stringify(written[part][name]),
      ),
    );
    expectNone(unwritten, `run npm run docs, which writes their forms into ${FORMS_FILE}`);
    expect([FORMS_FILE, wanted]).toEqual([FORMS_FILE, written]);
  });
});
