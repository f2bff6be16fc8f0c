import { createHash } from 'node:crypto';

/** Text that is already HTML; all other text is escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/** HTML from a template: inserted values are escaped unless they are HTML. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  for (const [index, part] of parts.entries()) text += textOf(part) + (strings[index + 1] ?? '');
  return new Html(text);
}

const ESCAPES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const ESCAPED = /[&<>"]/;
const EACH_ESCAPED = new RegExp(ESCAPED, 'g');

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  const text = String(part);
  // Most cells of a long table need no escaping.
  return ESCAPED.test(text)
    ? text.replace(EACH_ESCAPED, (character) => ESCAPES[character] ?? character)
    : text;
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8882; --accent: #0a6; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem 1.5rem 4rem; }
h2 { border-bottom: 1px solid var(--line); margin-top: 2.5rem; }
nav { columns: 3 12rem; }
a { color: inherit; text-decoration-color: var(--accent); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .5rem 0; padding: 0 .75rem; }
details details { border: 0; padding: 0; }
summary { cursor: pointer; padding: .5rem 0; overflow-wrap: anywhere; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--soft); border-radius: 6px; max-height: 26rem; overflow: auto; padding: .75rem; }
.method { color: var(--accent); display: inline-block; font-weight: 700; min-width: 4.5em; }
.deprecated { opacity: .6; }
table { border-collapse: collapse; width: 100%; }
td, th { border-top: 1px solid var(--line); overflow-wrap: anywhere; padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
`;

// in one piece, so that no template formatter changes the hashed text
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** No script, no external resources, and only this style. */
export const PAGE_SECURITY = {
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** A whole page of the service. */
export function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}
