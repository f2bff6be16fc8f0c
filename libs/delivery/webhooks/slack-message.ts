/** `verbatim`: Slack makes no links and no mentions of plain text, such as `@channel` in a post. */
type Markup = { readonly type: 'mrkdwn'; readonly verbatim: true; readonly text: string };

/** A message for an incoming webhook of Slack: `text` for notifications, blocks for the channel. */
export type SlackMessage = {
  readonly text: string;
  readonly blocks: readonly {
    readonly type: 'section' | 'context';
    readonly text?: Markup;
    readonly elements?: readonly Markup[];
  }[];
};

/** The maximum length of a line in characters. */
const MOST_CHARACTERS = 500;
/** Slack refuses a message with a longer section. */
const MOST_IN_SECTION = 3_000;

type FeedEvent = {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly data: unknown;
};

/** The event in one line, with its link if there is one that fits. */
export function slackMessage({ id, type, occurred_at: occurredAt, data }: FeedEvent): SlackMessage {
  const text = shortened(lineOf(type, data));
  const link = textAt(data, 'source_url');
  const line = escaped(text);
  // In a link `|` begins the text of the link, and another character would be another address.
  const linked = link === null ? line : `<${escaped(link.replaceAll('|', '%7C'))}|${line}>`;
  const section = linked.length <= MOST_IN_SECTION ? linked : line;
  return {
    text: line,
    blocks: [
      { type: 'section', text: markup(section) },
      { type: 'context', elements: [markup(`${type} · ${occurredAt} · ${id}`)] },
    ],
  };
}

const markup = (text: string): Markup => ({ type: 'mrkdwn', verbatim: true, text });

function lineOf(type: string, data: unknown): string {
  const company = textAt(data, 'company', 'name') ?? textAt(data, 'company', 'domain');
  const lead = textAt(data, 'lead', 'full_name') ?? textAt(data, 'lead', 'name');
  const who = [lead, company].filter((name) => name !== null).join(', ');
  switch (type) {
    case 'signal.detected':
      return [`New signal: ${textAt(data, 'signal_type') ?? 'deleted'}`, who, excerptOf(data)]
        .filter((part) => part !== '')
        .join(' · ');
    case 'run.ended':
      return `A signal run ended: ${textAt(data, 'stage') ?? 'deleted'}`;
    case 'endpoint.disabled':
      return `A webhook endpoint was disabled: ${textAt(data, 'disabled_reason') ?? 'deleted'}`;
    default:
      return [type, who].filter((part) => part !== '').join(' · ');
  }
}

const excerptOf = (data: unknown): string =>
  textAt(data, 'details', 'post_text') ??
  textAt(data, 'details', 'comment_text') ??
  textAt(data, 'details', 'job_title') ??
  '';

/** The text at a path of members; null if there is none. */
function textAt(data: unknown, ...path: readonly string[]): string | null {
  let found: unknown = data;
  for (const member of path) {
    if (typeof found !== 'object' || found === null) return null;
    found = Reflect.get(found, member);
  }
  return typeof found === 'string' && found !== '' ? found : null;
}

const shortened = (text: string): string =>
  [...text].length <= MOST_CHARACTERS ? text : `${[...text].slice(0, MOST_CHARACTERS).join('')}…`;

/** External text must not be interpreted as markup of Slack. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('|', '¦');
