import { Id, Type } from '#kernel/values/schema.js';
import { refusal } from '#kernel/values/refusal.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { pauseSource, removeSource, resumeSource, source } from '../domain/source.js';
import { loadMemory } from '../added-again.js';
import { oneSource, SourceId } from './one-source.js';

/** An operator command that changes the status of a source. */
const changing = (name: string, summary: string, decision: typeof pauseSource) =>
  operatorCommand({
    name,
    summary,
    input: Type.Object({ source_id: SourceId }),
    output: Type.Object({ source_id: Id, status: Type.String() }),
    async run({ commands, clock }, { source_id: sourceId }, context) {
      const decided = decision(clock.now().toISOString());
      const { answer } = await commands.handle(source, String(sourceId), decided, {
        context,
        answer: ({ status }) => status,
      });
      return { source_id: sourceId, status: answer };
    },
  });

export const sourcePause = changing(
  'source.pause',
  'Stop polling a source until it is resumed; its observations stay',
  pauseSource,
);

const sourceGone = refusal({
  code: 'source-gone',
  kind: 'conflicting',
  detail:
    'The source is not paused but gone: its address answered 404 or 410. source.poll requests it again at once.',
});

export const sourceResume = operatorCommand({
  name: 'source.resume',
  summary: 'Poll a paused source again',
  input: Type.Object({ source_id: SourceId }),
  output: Type.Object({ source_id: Id, status: Type.String() }),
  async run(host, { source_id: sourceId }, context) {
    const found = await oneSource(host, sourceId);
    const { isGone } = await loadMemory(host.network.polls, found);
    // To resume it would change nothing: after 410 it is polled on request only (SRC-06).
    if (isGone && found.status === 'active') throw sourceGone();
    await host.commands.handle(source, String(sourceId), resumeSource(host.clock.now().toISOString()), {
      context,
    });
    return { source_id: sourceId, status: isGone ? 'gone' : 'active' };
  },
});

export const sourceRemove = changing(
  'source.remove',
  'Remove a source: it is never polled again; its observations stay',
  removeSource,
);
