import { fieldError } from '#kernel/values/refusal.js';
import { Day, Id, Nullable, Type } from '#kernel/values/schema.js';
import { invalidInput } from '#ops/support/amounts.js';
import { described, visibleText } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { recordTerms, source } from '../domain/source.js';
import { kindOf } from '../source-kinds.js';
import { oneSource, SourceId } from './one-source.js';
import { termsWarning } from './source-rows.js';

const text = (description: string) => described(description, visibleText(2_000));

export const sourceTerms = operatorCommand({
  name: 'source.terms',
  summary: 'Record that you have read the terms of the site of a source',
  input: Type.Object({
    source_id: SourceId,
    url: text('address of the terms'),
    verdict: text('what the terms say about reading by programs, in your words'),
    read_on: Type.Optional(described('date on which you read them, YYYY-MM-DD; default: today', Day)),
  }),
  output: Type.Object({ source_id: Id, terms_read: Day, warning: Nullable(Type.String()) }),
  async run(host, { source_id: sourceId, url, verdict, read_on }, context) {
    const found = await oneSource(host, sourceId);
    const known = kindOf(found.kind);
    // Terms are dated in real time.
    const now = new Date();
    const readOn = read_on ?? now.toISOString().slice(0, 10);
    if (!URL.canParse(url) || !/^https?:/i.test(url)) throw wrong('url', 'must be an http or https address');
    if (Date.parse(readOn) > now.getTime()) throw wrong('read_on', 'must not be after today');
    if (known !== null && (known.isFile || known.terms.readOn !== null))
      throw wrong('source_id', `is of ${found.kind}, whose terms come with this version`);
    const terms = { url, verdict, readOn };
    await host.commands.handle(source, String(sourceId), recordTerms(terms, host.clock.now().toISOString()), {
      context,
    });
    return {
      source_id: sourceId,
      terms_read: readOn,
      warning: termsWarning({ kind: found.kind, terms }, now),
    };
  },
});

const wrong = (field: string, fault: string) => invalidInput({ errors: fieldError(field, fault) });
