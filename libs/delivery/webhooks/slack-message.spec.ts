import { slackMessage } from './slack-message.js';

const MOST_IN_SECTION = 3_000;

describe('a message for Slack', () => {
  const section = (data: object): string =>
    slackMessage({ id: 'evt_1_0', type: 'signal.detected', occurred_at: '2026-03-01T12:00:00.000Z', data })
      .blocks.flatMap(({ text }) => text?.text ?? [])
      .join();

  it('links its line to the source, at the same address', () => {
    expect(section({ signal_type: 'post', source_url: 'https://acme.example/?a=1|2&b=<3>' })).toBe(
      '<https://acme.example/?a=1%7C2&amp;b=&lt;3&gt;|New signal: post>',
    );
  });

  it('mentions nobody and makes no links, whatever a text contains', () => {
    const details = { post_text: '@channel <!here> see evil.example' };
    const data = { signal_type: 'post', details };
    const { blocks } = slackMessage({ id: 'evt_1_0', type: 'signal.detected', occurred_at: 'now', data });
    const texts = blocks.flatMap(({ text, elements = [] }) => [...(text ? [text] : []), ...elements]);
    expect(texts.map(({ verbatim }) => verbatim)).toEqual([true, true]);
    expect(texts[0]?.text).toBe('New signal: post · @channel &lt;!here&gt; see evil.example');
  });

  it('has no link if its section would be longer than Slack allows', () => {
    const details = { post_text: '<&>'.repeat(500) };
    const line = section({ signal_type: 'post', details });
    expect(line.length).toBeLessThan(MOST_IN_SECTION);
    const path = (length: number): string => 'x'.repeat(length - 'https://acme.example/'.length);
    const fits = MOST_IN_SECTION - '<|>'.length - line.length;
    for (const [length, isLinked] of [
      [fits, true],
      [fits + 1, false],
      [9_000, false],
    ] as const) {
      const url = `https://acme.example/${path(length)}`;
      const shown = section({ signal_type: 'post', details, source_url: url });
      expect([length, shown]).toEqual([length, isLinked ? `<${url}|${line}>` : line]);
    }
  });
});
