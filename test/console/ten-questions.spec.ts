import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConsolePage } from '#test/support/console-visitor.js';
import { financeOf } from '#test/support/console-scene.js';
import { scene, sharedWorkspace } from '#test/support/scene.js';
import { houseRoot } from '../house/house.js';

const README = readFileSync(join(houseRoot, 'apps/console/README.md'), 'utf8');
const MOST_CLICKS = 3;

/** The rows of the table: a question, the links to click, and the text to find on the last page. */
const questions = README.split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('?'))
  .map((line) => {
    const [question = '', clicks = '', answer = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    return { question, clicks: clicks === 'none' ? [] : clicks.split(' › '), answer };
  });

describe('ten questions of a finance person', () => {
  const service = scene({ at: '2026-05-14T10:00:00.000Z' });

  sharedWorkspace(service, { name: 'Acme', credits: 100 }, async ({ command }) => {
    const hold = { credits: 5, product: 'work' };
    await command('credits.hold', { ...hold, key: 'may' });
    await command('credits.capture', { key: 'may' });
    await service.setClock('2026-06-03T10:00:00.000Z');
    await command('credits.hold', { ...hold, key: 'june' });
    await command('credits.grant', { credits: 5, reason: 'Goodwill' });
    await service.drain();
  });
  const finance = financeOf(service);

  it('are ten', () => {
    expect(questions).toHaveLength(10);
  });

  for (const { question, clicks, answer } of questions) {
    it(`${question} is answered in ${clicks.length} clicks`, async () => {
      expect(clicks.length).toBeLessThanOrEqual(MOST_CLICKS);
      let page = await finance.get('/console');
      for (const click of clicks) page = await followed(page, click);
      expect([question, page.status, page.text.includes(answer)]).toEqual([question, 200, true]);
    });
  }

  /** The page behind the link with this text; of movements the first. */
  async function followed({ text }: ConsolePage, click: string): Promise<ConsolePage> {
    const links = [...text.matchAll(/<a\s[^>]*?href="([^"]*)"[^>]*>([^]*?)<\/a\s*>/g)].map(
      ([, href = '', inner = '']) => ({
        href: href.replaceAll('&amp;', '&'),
        name: inner.replace(/<[^>]*>/g, '').trim(),
      }),
    );
    const wanted = links.find(({ href, name }) =>
      click === '(a movement)' ? href.includes('/movements/') && name !== '1' : name === click,
    );
    expect([click, wanted === undefined ? links.map(({ name }) => name) : 'found']).toEqual([click, 'found']);
    return finance.get(wanted?.href ?? '');
  }
});
