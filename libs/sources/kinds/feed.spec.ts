import * as fc from 'fast-check';
import { MalformedAnswer } from '../answer-fields.js';
import { textIn } from '../answer-text.js';
import { readFeed } from './feed.js';

const rss = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Acme</title>${items}</channel></rss>`;
const shipped = { text: 'We ship\nVersion 2 is out', publishedAt: '2026-02-01T14:00:00.000Z' };

describe('a feed', () => {
  it('is RSS, Atom, RDF or a JSON Feed', () => {
    const url = 'https://acme.example/2';
    const feeds = {
      rss: rss(`<item><title>We ship</title><guid isPermaLink="false">g2</guid><link>${url}</link>
        <description>short</description><content:encoded><![CDATA[<p>Version <b>2</b> is out</p>]]></content:encoded>
        <pubDate>Sun, 01 Feb 2026 15:00:00 +0100</pubDate></item>`),
      atom: `<feed xmlns="http://www.w3.org/2005/Atom"><title>Acme</title><entry><id>g2</id><title>We ship</title>
        <link rel="self" href="https://acme.example/self"/><link href="${url}"/>
        <updated>2026-02-03T00:00:00Z</updated><published>2026-02-01T14:00:00Z</published>
        <content type="html">&lt;p&gt;Version &lt;b&gt;2&lt;/b&gt; is out&lt;/p&gt;</content></entry></feed>`,
      rdf: `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="c"><title>Acme</title></channel>
        <item rdf:about="g2"><title>We ship</title><link>${url}</link><description>Version 2 is out</description>
        <dc:date>2026-02-01T14:00:00Z</dc:date></item></rdf:RDF>`,
      json: JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'Acme',
        items: [
          {
            id: 'g2',
            url,
            title: 'We ship',
            content_html: '<p>Version 2 is out</p>',
            date_published: '2026-02-01T14:00:00Z',
          },
        ],
      }),
    };
    for (const [format, body] of Object.entries(feeds))
      expect([format, readFeed(body)]).toEqual([
        format,
        { posts: [{ id: 'g2', url, ...shipped }], skipped: 0, skipHours: [] },
      ]);
  });

  it('has posts with a text; items without a text are counted', () => {
    const items = [
      '<item><title>Only a title</title><link>https://acme.example/a</link></item>',
      '<item><description>Only a text</description><guid>https://acme.example/b</guid></item>',
      '<item><guid>empty</guid><description><![CDATA[<img src="x">]]></description></item>',
      '<item><guid>odd</guid><title>Odd</title><link>javascript:alert(1)</link><pubDate>soon</pubDate></item>',
    ];
    expect(readFeed(rss(items.join('')))).toEqual({
      posts: [
        {
          id: 'https://acme.example/a',
          url: 'https://acme.example/a',
          text: 'Only a title',
          publishedAt: null,
        },
        {
          id: 'https://acme.example/b',
          url: 'https://acme.example/b',
          text: 'Only a text',
          publishedAt: null,
        },
        { id: 'odd', url: null, text: 'Odd', publishedAt: null },
      ],
      skipped: 1,
      skipHours: [],
    });
  });

  it('fails if an item has neither an id nor an address', () => {
    for (const members of ['<title>Nameless</title>', '<title>Odd</title><link>javascript:alert(1)</link>'])
      expect(() => readFeed(rss(`<item><guid>1</guid></item><item>${members}</item>`))).toThrow(
        new MalformedAnswer('an item has neither an id nor an address'),
      );
  });

  describe('of forms found in practice', () => {
    const at = '2026-02-01T14:00:00.000Z';
    const item = (members: string): string =>
      rss(`<item><guid isPermaLink="false">g</guid>${members}</item>`);
    const atom = (members: string): string =>
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>Acme</title><entry><id>g</id>${members}</entry></feed>`;
    const json = (members: object): string =>
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1',
        title: 'Acme',
        items: [{ id: 'g', ...members }],
      });
    const dcterms = 'xmlns:t="http://purl.org/dc/terms/"';
    const podcast = 'xmlns:i="http://www.itunes.com/dtds/podcast-1.0.dtd"';
    const shapes: readonly (readonly [string, string, string, string | null])[] = [
      [
        'markup in CDATA',
        item('<description><![CDATA[<p>One</p><p>Two</p>]]></description>'),
        'One\n\nTwo',
        null,
      ],
      ['markup in entities', item('<title>A &amp;amp; B</title>'), 'A & B', null],
      ['entities of HTML', item('<title>Caf&#233; &#x2014; ouvert</title>'), 'Café — ouvert', null],
      ['a date of RFC 822', item('<title>T</title><pubDate>Sun, 1 Feb 26 14:00:00 GMT</pubDate>'), 'T', at],
      [
        'a date with an offset',
        item('<title>T</title><pubDate>Sun, 01 Feb 2026 09:00:00 -0500</pubDate>'),
        'T',
        at,
      ],
      [
        'a date without seconds',
        item('<title>T</title><pubDate>Sun, 01 Feb 2026 14:00 GMT</pubDate>'),
        'T',
        at,
      ],
      [
        'a zone by its letters',
        item('<title>T</title><pubDate>Sun, 01 Feb 2026 09:00:00 EST</pubDate>'),
        'T',
        at,
      ],
      ['a date that is none', item('<title>T</title><pubDate>32 Foo 2026</pubDate>'), 'T', null],
      ['an empty date', item('<title>T</title><pubDate></pubDate>'), 'T', null],
      [
        'a date of Dublin Core',
        item('<title>T</title><dc:date>2026-02-01T15:00:00+01:00</dc:date>'),
        'T',
        at,
      ],
      [
        'a date of its terms',
        item(`<title>T</title><t:issued ${dcterms}>2026-02-01T14:00:00Z</t:issued>`),
        'T',
        at,
      ],
      ['a title of Dublin Core', item('<dc:title>T</dc:title>'), 'T', null],
      ['a text of Dublin Core', item('<dc:description>D</dc:description>'), 'D', null],
      [
        'a podcast',
        item(`<title>T</title><i:summary ${podcast}>What we say</i:summary>`),
        'T\nWhat we say',
        null,
      ],
      [
        'XHTML inside',
        atom(
          '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>X <b>y</b></p></div></content>',
        ),
        'X y',
        null,
      ],
      ['HTML inside', atom('<title type="html">A &lt;em&gt;b&lt;/em&gt;</title>'), 'A b', null],
      ['a summary alone', atom('<summary>S</summary><updated>2026-02-01T14:00:00Z</updated>'), 'S', at],
      ['a day', atom('<title>T</title><published>2026-02-01T14:00Z</published>'), 'T', at],
      ['a text alone', json({ content_text: 'Plain' }), 'Plain', null],
      [
        'a date in JSON',
        json({ content_html: '<p>H</p>', date_published: '2026-02-01T09:00:00-05:00' }),
        'H',
        at,
      ],
    ];
    it.each(shapes)('%s', (_, body, text, publishedAt) => {
      for (const written of [body, `\ufeff${body}`, `\n ${body}`])
        expect(readFeed(written).posts).toEqual([{ id: 'g', url: null, text, publishedAt }]);
    });

    it('has texts in the charset of the feed', () => {
      const latin = Buffer.from(
        `<?xml version="1.0" encoding="iso-8859-1"?>${item('<title>é</title>').replace(/^<\?.*?\?>/, '')}`,
        'latin1',
      );
      const wide = Buffer.from(`\ufeff${item('<title>é</title>')}`, 'utf16le');
      for (const bytes of [latin, wide])
        expect(readFeed(textIn({ bytes: new Uint8Array(bytes), charset: null })).posts).toMatchObject([
          { text: 'é' },
        ]);
    });
  });

  it('does not repeat the text of a short post as its title', () => {
    const item =
      '<item><guid>1</guid><title>We ship version…</title><description>We ship version 2 today</description></item>';
    expect(readFeed(rss(item)).posts).toMatchObject([{ text: 'We ship version 2 today' }]);
  });

  it('names the hours in which it must not be read, also if there is only one; 24 is midnight', () => {
    const hours = (...named: readonly (number | string)[]): readonly number[] =>
      readFeed(rss(`<skipHours>${named.map((hour) => `<hour>${hour}</hour>`).join('\n')}</skipHours>`))
        .skipHours;
    expect(hours(2, 3)).toEqual([2, 3]);
    expect(hours(7)).toEqual([7]);
    expect(hours(' 24 ')).toEqual([0]);
    expect(hours(23, 24, 25, -1, 'noon')).toEqual([23, 0]);
    expect(hours('noon')).toEqual([]);
    const written = '<![CDATA[<skipHours><hour>7</hour></skipHours>]]>';
    expect(
      readFeed(rss(`<item><guid>g</guid><description>${written}</description></item>`)).skipHours,
    ).toEqual([]);
  });

  it('may be empty', () => {
    expect(readFeed(rss(''))).toEqual({ posts: [], skipped: 0, skipHours: [] });
  });

  it('fails if it is not a feed', () => {
    for (const body of [
      '',
      'nope',
      '{"a":1}',
      '<rss><channel>',
      '<html><body>x</body></html>',
      '<!DOCTYPE html><html>',
    ])
      expect(() => [body, readFeed(body)]).toThrow(MalformedAnswer);
    expect(() => readFeed('<!doctype html><html></html>')).toThrow('answered HTML and no feed');
  });

  it('expands no custom entities and survives any depth', () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${rss('<item><guid>1</guid><title>&b;</title></item>')}`;
    for (const body of [bomb, rss('<a>'.repeat(100_000)), rss(`<item>${'<b>'.repeat(10_000)}`)]) {
      try {
        for (const { text } of readFeed(body).posts) expect(text).not.toContain('aaaaaaaaaa');
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedAnswer);
      }
    }
  });

  it('never yields a post without a text, for any truncated or damaged feed', () => {
    const whole = rss(
      '<item><title>We ship</title><guid>g</guid><description>&lt;p&gt;x&lt;/p&gt;</description><pubDate>Sun, 01 Feb 2026 15:00:00 +0100</pubDate></item>',
    );
    const damaged = fc
      .tuple(
        fc.nat(whole.length),
        fc.nat(whole.length),
        fc.constantFrom('', '<', '>', '&', '"', '\u0000', ']]>', '<![CDATA['),
      )
      .map(([from, length, put]) => whole.slice(0, from) + put + whole.slice(from + (length % 20)));
    fc.assert(
      fc.property(damaged, (body) => {
        try {
          for (const { id, text } of readFeed(body).posts) expect([id.trim(), text.trim()]).not.toContain('');
        } catch (error) {
          if (!(error instanceof MalformedAnswer)) throw error;
        }
      }),
    );
  });
});
