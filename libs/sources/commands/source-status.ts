import { Id, Type } from '#kernel/values/schema.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { pauseSource, removeSource, resumeSource, source } from '../domain/source.js';
import { SourceId } from './one-source.js';

/** A command that decides the status of a source and answers with it. */
const statusCommand = (name: string, summary: string, decide: typeof pauseSource) =>
  operatorCommand({
    name,
    summary,
    input: Type.Object({ source_id: SourceId }),
    output: Type.Object({ source_id: Id, status: Type.String() }),
    async run({ commands, clock }, { source_id: sourceId }, context) {
      const decision = decide(clock.now().toISOString());
      const { answer } = await commands.handle(source, String(sourceId), decision, {
        context,
        answer: ({ status }) => status,
      });
      return { source_id: sourceId, status: answer };
    },
  });

export const sourcePause = statusCommand(
  'source.pause',
  'Stop polling a source until it is resumed; its observations stay',
  pauseSource,
);

export const sourceResume = statusCommand('source.resume', 'Poll a paused source again', resumeSource);

export const sourceRemove = statusCommand(
  'source.remove',
  'Remove a source: it is never polled again; its observations stay',
  removeSource,
);
