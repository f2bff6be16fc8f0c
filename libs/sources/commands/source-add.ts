import { Id, Nullable, Type } from '#kernel/values/schema.js';
import { described } from '#ops/support/inputs.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { admitSource } from './admit-source.js';
import { atFirstAddress } from './first-address.js';
import { firstPoll, heldBack } from './first-poll.js';
import { newSource, sourceInput } from './new-source.js';
import { requireContact } from './source-contact.js';
import { PollAnswer } from './source-poll.js';
import { termsWarning } from './source-rows.js';

export const sourceAdd = operatorCommand({
  name: 'source.add',
  summary: 'Add a job board or a feed: it is polled from now on, and its items become observations',
  input: Type.Object({
    ...sourceInput,
    force: Type.Optional(described('adds a second source of postings for one company', Type.Boolean())),
    poll: Type.Optional(described('polls it immediately and shows the progress', Type.Boolean())),
  }),
  output: Type.Object({
    source_id: Id,
    kind: Type.String(),
    board: Type.String(),
    name: Type.String(),
    terms: Type.String(),
    warning: Nullable(Type.String()),
    /** The result of its first reading, if requested. */
    first_poll: Nullable(PollAnswer),
  }),
  async run(host, { force = false, poll = false, ...input }, context, onProgress) {
    const { kind, source: named } = await newSource(input);
    if (poll) requireContact(host, kind);
    const source = await atFirstAddress(host, named);
    const held = (record: () => Promise<number>) => heldBack(host, source, record);
    const sourceId = await admitSource(host, source, force, context, poll ? held : undefined);
    const isSilent = host.sources.contact === null && !kind.isFile;
    const noContact = isSilent ? 'nothing is polled before SOURCE_CONTACT is set' : null;
    return {
      source_id: sourceId,
      kind: source.kind,
      board: source.boardId,
      name: source.name,
      terms: kind.terms.url,
      warning: noContact ?? termsWarning(source, new Date()),
      first_poll: poll ? await firstPoll(host, sourceId, onProgress) : null,
    };
  },
});
