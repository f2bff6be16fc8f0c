import { html, Html } from './page.js';

/** The Markdown of our guides as HTML: only headings, paragraphs, lists, tables, code and links. */
export function markdownPart(text: string): Html {
  return html`${blocksOf(text).map(blockPart)}`;
}

/** Parts separated by blank lines. Blank lines within code do not separate. */
function blocksOf(text: string): readonly string[] {
  return text.split(/^(```\n[^]*?\n```)$/m).flatMap((part, index) => {
    const isCode = index % 2 === 1;
    if (isCode) return [part];
    return part.trim() === '' ? [] : part.trim().split(/\n{2,}/);
  });
}

function blockPart(block: string): Html {
  if (block.startsWith('## ')) return html`<h2>${block.slice(3)}</h2>`;
  // in one piece, so that no template formatter changes the lines
  if (block.startsWith('```'))
    return new Html(`<pre>${html`${block.replace(/^```\n|\n```$/g, '')}`.text}</pre>`);
  if (block.startsWith('- ')) {
    return html`<ul>
      ${block.split(/\n(?=- )/).map((line) => html`<li>${inline(line.slice(2))}</li>`)}
    </ul>`;
  }
  if (block.startsWith('| ')) return tablePart(block);
  return html`<p>${inline(block)}</p>`;
}

/** A table: its head, a line of dashes, its rows. */
function tablePart(block: string): Html {
  const [head = [], , ...rows] = block.split('\n').map((line) =>
    line
      .replace(/^\| | \|$/g, '')
      .split(/ \|(?= |$)/)
      .map((cell) => cell.trim()),
  );
  return html`<table>
    <tr>
      ${head.map((cell) => html`<th>${inline(cell)}</th>`)}
    </tr>
    ${rows.map(
      (row) =>
        html`<tr>
          ${row.map((cell) => html`<td>${inline(cell)}</td>`)}
        </tr>`,
    )}
  </table>`;
}

/** Code between back quotes, and links. */
function inline(text: string): readonly Html[] {
  return text.split(/(`[^`]*`|\[[^\]]*\]\([^)\s]*\))/).map((part) => {
    const [, label, to] = /^\[([^\]]*)\]\(([^)\s]*)\)$/.exec(part) ?? [];
    if (label !== undefined && to !== undefined) return html`<a href="${to}">${label}</a>`;
    return /^`.*`$/s.test(part) ? html`<code>${part.slice(1, -1)}</code>` : html`${part}`;
  });
}
