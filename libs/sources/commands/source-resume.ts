import { Id, Type } from '#kernel/values/schema.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { resumeSource, source } from '../domain/source.js';
import { SourceId } from './one-source.js';

export const sourceResume = operatorCommand({
  name: 'source.resume',
  summary: 'Poll a paused source again',
  input: Type.Object({ source_id: SourceId }),
  output: Type.Object({ source_id: Id, status: Type.String() }),
  async run({ commands, clock }, { source_id: sourceId }, context) {
    const decision = resumeSource(clock.now().toISOString());
    const { answer } = await commands.handle(source, String(sourceId), decision, {
      context,
      answer: ({ status }) => status,
    });
    return { source_id: sourceId, status: answer };
  },
});
