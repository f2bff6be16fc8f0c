import { Id, Type } from '#kernel/values/schema.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { pauseSource, source } from '../domain/source.js';
import { SourceId } from './one-source.js';

export const sourcePause = operatorCommand({
  name: 'source.pause',
  summary: 'Stop polling a source until it is resumed; its observations stay',
  input: Type.Object({ source_id: SourceId }),
  output: Type.Object({ source_id: Id, status: Type.String() }),
  async run({ commands, clock }, { source_id: sourceId }, context) {
    const decision = pauseSource(clock.now().toISOString());
    const { answer } = await commands.handle(source, String(sourceId), decision, {
      context,
      answer: ({ status }) => status,
    });
    return { source_id: sourceId, status: answer };
  },
});
