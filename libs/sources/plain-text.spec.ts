import { plainText } from './plain-text.js';

describe('the plain text of HTML', () => {
  it('is the visible text', () => {
    const html =
      '<h2>About us</h2><p>We build <b>CRM</b> software&nbsp;&amp; more.<br>Join&#39;s fine.</p>' +
      '<ul><li>One</li><li>Two</li></ul><table><tr><td>Pay</td><td>Good</td></tr></table>' +
      '<a href="https://evil.example/">apply</a><img src="x.png" alt="a picture"><script>alert(1)</script>' +
      '<style>p { color: red }</style><!-- nothing -->';
    expect(plainText(html)).toBe(
      "About us\n\nWe build CRM software & more.\nJoin's fine.\n\n- One\n- Two\n\nPay\nGood\n\napply",
    );
  });

  it('is the same if the HTML is escaped in entities, as inside JSON', () => {
    const html = '<p>C++ &amp; <b>R&amp;D</b> where a &lt; b</p>';
    const encoded = html.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    expect(plainText(html)).toBe('C++ & R&D where a < b');
    expect(plainText(encoded)).toBe('C++ & R&D where a < b');
    expect(plainText('if a &lt; b and c &gt; d')).toBe('if a < b and c > d');
  });

  it('joins words that are separated by invisible characters', () => {
    expect(plainText('soft&shy;ware zero&#8203;width thin&#8201;space')).toBe(
      'software zerowidth thin space',
    );
  });

  it('is null if nothing is left', () => {
    for (const html of ['', '   ', '<p></p>', '<img src="a">', '&nbsp;', '<script>1</script>'])
      expect([html, plainText(html)]).toEqual([html, null]);
  });

  it('is bounded for deep or long HTML', () => {
    expect(plainText(`<p>first</p>${'<div>'.repeat(100_000)}deep`)).toMatch(/^first/);
    expect(plainText('a'.repeat(3 * 1024 * 1024))).toHaveLength(512 * 1024);
    const lines = plainText('<br>a'.repeat(10_000))?.split('\n') ?? [];
    expect([lines.length, lines.at(-1)]).toEqual([5_000, 'a']);
    expect(plainText('<p><b>not closed <i>at all')).toBe('not closed at all');
  });
});
