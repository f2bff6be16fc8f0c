import { withoutNulls, type JsonObject } from '#kernel/values/json.js';
import {
  excerptOf,
  payloadShortcuts,
  unnamedAuthorIn,
  type Shortcuts,
} from '#signals/domain/runs/shortcut-facts.js';
import type { SignalType } from '#signals/domain/runs/signal-types.js';
import type { PersonFacts } from '#network/network-directory.port.js';
import type { Author as NetworkAuthor } from '#network/network-source.port.js';
import type { SeenContent } from './finding.js';
import { bounded, boundedUrl, TEXT_LENGTH } from '#kernel/values/bounded-text.js';
import { authorOf } from '#identities/observed-facts.js';

/** A signal of the documented form, with the contents in which it was observed: none, if it was added by hand. */
export type ShownSignal = {
  readonly signalType: SignalType;
  readonly signalDate: string | null;
  readonly data: JsonObject;
  readonly author?: PersonFacts | null;
  readonly counterpart?: NetworkAuthor | null;
  readonly contents?: readonly Pick<SeenContent, 'type' | 'url' | 'text'>[];
};

/**
 * The shortcuts of a signal, found or added by hand: link, author by the fixed priority of OP-35, comment before
 * post, and the other participants. Observed contents take precedence over the payload; what neither has is null.
 */
export function shortcutsOf(shown: ShownSignal): Shortcuts {
  const { data, contents = [] } = shown;
  const payload = payloadShortcuts(shown);
  const textOf = (type: SeenContent['type']): string | null =>
    bounded(contents.find((content) => content.type === type)?.text ?? null, TEXT_LENGTH);
  const seen = withoutNulls({ post_text: textOf('post'), comment_text: textOf('comment') });
  const details = { ...payload.details, ...seen, ...counterpartOf(shown) };
  return {
    sourceUrl: linkOf(contents) ?? payload.sourceUrl,
    author: shown.author ? authorOf(shown.author) : (payload.author ?? unnamedAuthorIn(data)),
    excerpt: excerptOf(details, data, [textOf('job_posting')]),
    details: withoutNulls(details),
  };
}

/** The first link of the contents. */
const linkOf = (contents: readonly Pick<SeenContent, 'url'>[]): string | null =>
  contents.map(({ url }) => boundedUrl(url)).find((url) => url !== null) ?? null;

/** The participants besides the lead, if they are known. An unknown name is not taken from the payload either. */
function counterpartOf({ counterpart }: ShownSignal): JsonObject {
  if (counterpart === undefined || counterpart === null) return {};
  if (counterpart.entity === 'company') {
    const name = shownName(counterpart.company.name);
    return { counterpart_name: name, counterpart_role: null, counterpart_company: name };
  }
  const { person, company } = counterpart;
  return {
    counterpart_name: shownName(person.fullName),
    counterpart_role: shownName(person.current?.title ?? null),
    counterpart_company: shownName(company?.name ?? person.current?.companyName ?? null),
  };
}

const shownName = (name: string | null): string | null => (name === '' ? null : bounded(name, TEXT_LENGTH));
