import { Id, Type } from '#kernel/values/schema.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { pauseSource, removeSource, resumeSource, source } from '../domain/source.js';
import { SourceId } from './one-source.js';

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

export const sourceResume = changing('source.resume', 'Poll a paused source again', resumeSource);

export const sourceRemove = changing(
  'source.remove',
  'Remove a source: it is never polled again; its observations stay',
  removeSource,
);
