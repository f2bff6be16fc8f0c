import type { JsonValue } from '#kernel/values/json.js';
import type { Finding } from './finding.js';
import { searchPage } from './search-page.js';
import { sampleRun } from './testing/sample-run.js';

const finding = (subject: string): Finding => ({
  subject,
  signalType: 'keywordDetection',
  signalDate: null,
  data: {},
  company: null,
  lead: null,
  contents: [],
  readings: [],
});

it('SRC-07 names each reading of a match once, in their order, and twenty at most', async () => {
  const reading = (day: number) => ({ sourceId: '7', readAtMs: day * 86_400_000 });
  const readings = [
    null,
    reading(2),
    reading(1),
    reading(2),
    ...Array.from({ length: 30 }, (_, day) => reading(day)),
  ];
  const search = {
    read: async () => ({ items: [{ position: 1 }], next: null }),
    judge: async () => [[{ ...finding('a'), readings }]],
  };
  const { matches } = await searchPage(search, sampleRun(), null, 9);
  const days = matches[0]?.provenance?.map(({ readAt }) => Date.parse(readAt) / 86_400_000);
  expect(days).toEqual([2, 1, 0, ...Array.from({ length: 17 }, (_, day) => day + 3)]);
  expect(new Set(matches[0]?.provenance?.map(({ sourceId }) => sourceId))).toEqual(new Set([7]));
});

/** Items 1 to `count`, two per read; `found` gives the findings of each. */
function numbers(count: number, found: (item: number) => readonly string[]) {
  const reads: JsonValue[] = [];
  return {
    reads,
    async read(position: JsonValue) {
      reads.push(position);
      const first = Number(position) + 1;
      const items = [first, first + 1].filter((item) => item <= count).map((item) => ({ position: item }));
      const last = items.at(-1)?.position ?? count;
      return { items, next: last < count ? last : null };
    },
    judge: (items: readonly { readonly position: number }[]) =>
      items.map(({ position }) => found(position).map(finding)),
  };
}

const subjects = ({ matches }: { readonly matches: readonly { readonly subject: string }[] }) =>
  matches.map(({ subject }) => subject);

describe('a page of findings', () => {
  it('D-06 has a finding once that is also there, or was reported, under a former subject', async () => {
    const search = {
      read: async () => ({ items: [1, 2, 3].map((position) => ({ position })), next: null }),
      judge: async () => [
        [{ ...finding('new:1'), formerSubjects: ['old:1'] }],
        [finding('old:1')],
        [{ ...finding('new:2'), formerSubjects: ['old:2'] }],
      ],
    };
    const known = async (asked: readonly string[]) => new Set(asked.filter((one) => one === 'old:2'));
    expect(subjects(await searchPage(search, sampleRun({ known }), null, 9))).toEqual(['new:1']);
  });

  it('D-06 has the findings of two companies that share a domain, whose former subjects are the same', async () => {
    const search = {
      read: async () => ({ items: [1, 2, 3].map((position) => ({ position })), next: null }),
      judge: async () => [
        [{ ...finding('c:a'), formerSubjects: ['domain:shared'] }],
        [{ ...finding('c:b'), formerSubjects: ['domain:shared'] }],
        [finding('domain:shared')],
      ],
    };
    expect(subjects(await searchPage(search, sampleRun(), null, 9))).toEqual(['c:a', 'c:b']);
  });

  it('ends when it is full, and the next page continues after the last item taken', async () => {
    const search = numbers(5, (item) => [`item:${item}`]);
    const first = await searchPage(search, sampleRun(), null, 3);
    expect([subjects(first), first.more]).toEqual([['item:1', 'item:2', 'item:3'], true]);
    const second = await searchPage(search, sampleRun(), first.resume, 3);
    expect([subjects(second), second.more]).toEqual([['item:4', 'item:5'], false]);
  });

  it('reads nothing twice if every item has a finding, and reads more at once if few have', async () => {
    const asked: number[] = [];
    const search = (every: number) => ({
      async read(position: JsonValue, limit: number) {
        asked.push(limit);
        const first = Number(position) + 1;
        const items = Array.from({ length: limit }, (_, index) => ({ position: first + index }));
        return { items, next: first + limit - 1 };
      },
      judge: (items: readonly { readonly position: number }[]) =>
        items.map(({ position }) => (position % every === 0 ? [finding(`item:${position}`)] : [])),
    });
    const all = await searchPage(search(1), sampleRun(), null, 50);
    expect([asked.splice(0), all.resume, all.more]).toEqual([[50], 50, true]);
    const few = await searchPage(search(10), sampleRun(), null, 50);
    expect([asked, few.resume, few.more]).toEqual([[50, 100, 100, 100, 100, 100], 509, true]);
  });

  it('continues before an item of which it took some findings: those are known by then', async () => {
    const search = numbers(2, (item) => [`a:${item}`, `b:${item}`]);
    const first = await searchPage(search, sampleRun(), null, 3);
    expect([subjects(first), first.more]).toEqual([['a:1', 'b:1', 'a:2'], true]);
    const known = async (): Promise<ReadonlySet<string>> => new Set(subjects(first));
    const second = await searchPage(search, sampleRun({ known }), first.resume, 3);
    expect([subjects(second), second.more]).toEqual([['b:2'], false]);
  });

  it('D-06 leaves out known subjects and duplicates', async () => {
    const search = numbers(3, (item) => (item === 2 ? ['old'] : ['twice']));
    const known = async (): Promise<ReadonlySet<string>> => new Set(['old']);
    expect(subjects(await searchPage(search, sampleRun({ known }), null, 50))).toEqual(['twice']);
  });

  it('begins where the search says, once', async () => {
    const search = { ...numbers(4, (item) => [`item:${item}`]), start: async () => 2 };
    const first = await searchPage(search, sampleRun(), null, 1);
    expect(subjects(first)).toEqual(['item:3']);
    expect(subjects(await searchPage(search, sampleRun(), first.resume, 1))).toEqual(['item:4']);
  });

  it('always takes at least one match, of any size', async () => {
    const huge = { text: 'x'.repeat(300_000) };
    const search = numbers(2, () => []);
    const judge = (items: readonly { readonly position: number }[]) =>
      items.map(({ position }) => [{ ...finding(`item:${position}`), data: huge }]);
    const page = await searchPage({ ...search, judge }, sampleRun(), null, 50);
    expect([subjects(page), page.more]).toEqual([['item:1'], true]);
  });

  it('ends before its matches are too large for one append, and the next page continues there', async () => {
    const large = { text: 'x'.repeat(60_000) };
    const search = numbers(6, () => []);
    const judge = (items: readonly { readonly position: number }[]) =>
      items.map(({ position }) => [{ ...finding(`item:${position}`), data: large }]);
    const first = await searchPage({ ...search, judge }, sampleRun(), null, 50);
    expect([subjects(first), first.more]).toEqual([['item:1', 'item:2', 'item:3', 'item:4'], true]);
    expect(Buffer.byteLength(JSON.stringify(first.matches))).toBeLessThan(256 * 1_024);
    const second = await searchPage({ ...search, judge }, sampleRun(), first.resume, 50);
    expect([subjects(second), second.more]).toEqual([['item:5', 'item:6'], false]);
  });

  it('ends after twenty reads that found nothing, so that the progress is stored', async () => {
    const search = numbers(50, (item) => (item > 40 ? [`item:${item}`] : []));
    const first = await searchPage(search, sampleRun(), null, 50);
    expect([search.reads.length, subjects(first), first.resume, first.more]).toEqual([20, [], 40, true]);
    const second = await searchPage(search, sampleRun(), first.resume, 50);
    expect([subjects(second).length, second.more]).toEqual([10, false]);
  });

  it('reports what could not be read, and continues', async () => {
    const search = numbers(3, (item) => [`item:${item}`]);
    const read = async (position: JsonValue) => ({
      ...(await search.read(position)),
      ...(position === null && { incomplete: 'source_unavailable' }),
    });
    const page = await searchPage({ ...search, read }, sampleRun(), null, 50);
    expect([subjects(page).length, page.incomplete, page.more]).toEqual([3, 'source_unavailable', false]);
  });

  it('ends when a read is to be stored before the next one', async () => {
    const search = numbers(6, (item) => [`item:${item}`]);
    const read = async (position: JsonValue) => ({ ...(await search.read(position)), endsPage: true });
    const first = await searchPage({ ...search, read }, sampleRun(), null, 50);
    expect([subjects(first), first.more]).toEqual([['item:1', 'item:2'], true]);
    const second = await searchPage({ ...search, read }, sampleRun(), first.resume, 50);
    expect([subjects(second), second.more]).toEqual([['item:3', 'item:4'], true]);
  });
});
