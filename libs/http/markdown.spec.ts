import { markdownPart } from './markdown.js';

describe('a guide in Markdown as HTML', () => {
  it('keeps the blank lines of code, and separates parts by other blank lines', () => {
    const text = 'First this:\n\n```\none() { two; }\n\nthree "four"\n```\n\nThen `that`.\n\n## A title';
    expect(markdownPart(text).text).toBe(
      '<p>First this:</p><pre>one() { two; }\n\nthree &quot;four&quot;</pre><p>Then <code>that</code>.</p><h2>A title</h2>',
    );
  });

  it('keeps an empty cell, also in the head of a table', () => {
    const cells = markdownPart('| old | new | |\n| --- | --- | --- |\n| `a` | | why |').text.match(
      /<t[hd]>.*?<\/t[hd]>/g,
    );
    expect(cells).toEqual([
      ...['<th>old</th>', '<th>new</th>', '<th></th>'],
      ...['<td><code>a</code></td>', '<td></td>', '<td>why</td>'],
    ]);
  });

  it('keeps code right after a line of text', () => {
    expect(markdownPart('Like this:\n```\none\n\ntwo\n```').text).toBe(
      '<p>Like this:</p><pre>one\n\ntwo</pre>',
    );
  });
});
