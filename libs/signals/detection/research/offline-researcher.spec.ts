import { said } from '#signals/detection/testing/sample-texts.js';
import { offlineResearcher } from './offline-researcher.js';
import type { Passage } from './passage.js';
import type { Research } from './researcher.port.js';

const SAP = 'Does the company run SAP on premise?';
const ask = (
  passages: readonly (Passage | string)[],
  text = SAP,
  choices: readonly string[] | null = null,
): Promise<Research> =>
  offlineResearcher.research(
    { text, choices, notes: [] },
    passages.map((passage) => (typeof passage === 'string' ? said(passage) : passage)),
    new AbortController().signal,
  );
const yes = (...evidence: readonly number[]): Research => ({ outcome: 'answered', answer: 'yes', evidence });
const NOTHING: Research = { outcome: 'unanswered' };

describe('the offline researcher', () => {
  it('D-83 says yes if one sentence contains every word of the question', async () => {
    expect(await ask(['Our SAP runs on the premise.'])).toEqual(yes(0));
    expect(await ask(['We run SAP.', 'Premise: our SAP'])).toEqual(yes(1));
  });

  it('D-83 never says no, and never combines sentences', async () => {
    expect(await ask(['We run SAP. It is on our premise.'])).toEqual(NOTHING);
    expect(await ask(['SAP? Never on premise'])).toEqual(NOTHING);
    expect(await ask([])).toEqual(NOTHING);
  });

  it('D-83 ends sentences at line breaks, and after . ! and ? before white space', async () => {
    for (const cut of ['\n', '\r\n', '. ', '! ', '?\t', '.\u00a0', '\u2028'])
      expect([cut, await ask([`SAP${cut}premise`])]).toEqual([cut, NOTHING]);
    for (const joined of ['SAP.premise', 'SAP?!premise', 'SAP; premise', 'SAP.) premise'])
      expect([joined, await ask([joined])]).toEqual([joined, yes(0)]);
  });

  it('D-83 reads the title of a posting as one sentence, and its text sentence by sentence', async () => {
    expect(await ask([said('We pay. Well', { title: 'Admin. SAP. Premise' })])).toEqual(yes(0));
    expect(await ask([said('on premise', { title: 'SAP admin' })])).toEqual(NOTHING);
  });

  it('D-83 ignores a sentence that negates, with any apostrophe', async () => {
    for (const negated of [
      'We do not have SAP on premise',
      'No SAP on premise',
      'We never had SAP on premise',
      'Without SAP on premise we live well',
      'SAP isn’t on premise',
      "SAP isn't on premise",
      'SAP on premise: WE DON＇T',
    ])
      expect([negated, await ask([negated])]).toEqual([negated, NOTHING]);
    for (const plain of [
      'Our notes: SAP on premise',
      "SAP on premise at N'Tours",
      'Nobody but us has SAP on premise',
    ])
      expect([plain, await ask([plain])]).toEqual([plain, yes(0)]);
  });

  it('D-83 accepts a negation that the question itself has, and no other', async () => {
    const question = 'Which companies do not have a CRM without consent?';
    expect(await ask(['We do not sell a CRM without consent'], question)).toEqual(yes(0));
    expect(await ask(["We don't sell a CRM without consent"], question)).toEqual(NOTHING);
    expect(await ask(["We don't have a CRM"], "Don't they use a CRM?")).toEqual(yes(0));
    expect(await ask(["We don't have no CRM"], "Don't they use a CRM?")).toEqual(NOTHING);
  });

  it('D-83 counts a passage once, and returns the five newest', async () => {
    const passages = Array.from({ length: 7 }, () => 'SAP on premise. Premise for SAP.');
    expect(await ask(passages)).toEqual(yes(0, 1, 2, 3, 4));
  });

  describe('with choices', () => {
    const CLOUD = 'Which cloud does the company use?';
    const CHOICES = ['Azure', 'AWS', 'Google Cloud'];
    const choice = (answer: string, ...evidence: readonly number[]): Research => ({
      outcome: 'answered',
      answer,
      evidence,
    });

    it('D-83 requires the choice in the sentence too, and answers with its spelling', async () => {
      expect(await ask(['Our cloud is aws'], CLOUD, CHOICES)).toEqual(choice('AWS', 0));
      expect(await ask(['Our cloud. AWS'], CLOUD, CHOICES)).toEqual(NOTHING);
      expect(await ask(['Our cloud is big'], CLOUD, CHOICES)).toEqual(NOTHING);
    });

    it('D-83 takes the choice with most evidence, however many sentences mention another', async () => {
      const passages = ['cloud azure. cloud azure. cloud azure', 'cloud aws', 'cloud aws'];
      expect(await ask(passages, CLOUD, CHOICES)).toEqual(choice('AWS', 1, 2));
    });

    it('D-83 counts all evidence, even if only a part is shown', async () => {
      const passages = [...Array<string>(6).fill('cloud azure'), ...Array<string>(7).fill('cloud aws')];
      expect(await ask(passages, CLOUD, CHOICES)).toEqual(choice('AWS', 6, 7, 8, 9, 10));
    });

    it('D-83 of two with equal evidence takes the one with the newest, then the one listed first', async () => {
      const on = (text: string, date: string | null): Passage => said(text, { date });
      const [newer, older] = ['2026-01-04T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
      for (const [aws = null, azure = null, expected] of [
        [newer, older, choice('AWS', 0)],
        [older, older, choice('Azure', 1)],
        [older, null, choice('AWS', 0)],
        [null, null, choice('Azure', 1)],
      ] as const)
        expect(await ask([on('cloud aws', aws), on('cloud azure', azure)], CLOUD, CHOICES)).toEqual(expected);
    });
  });
});
