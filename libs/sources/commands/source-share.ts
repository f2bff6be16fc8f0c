import { Id, Type } from '#kernel/values/schema.js';
import { operatorCommand } from '#ops/support/operator-command.js';
import { shareSource, source } from '../domain/source.js';
import { SourceId } from './one-source.js';

export const sourceShare = operatorCommand({
  name: 'source.share',
  summary: 'Share the observations of a csv file with all workspaces (SRC-10)',
  input: Type.Object({ source_id: SourceId }),
  output: Type.Object({ source_id: Id, shared: Type.Boolean() }),
  async run({ commands, clock }, { source_id: sourceId }, context) {
    const decision = shareSource(clock.now().toISOString());
    const { answer } = await commands.handle(source, String(sourceId), decision, {
      context,
      answer: ({ isShared }) => isShared,
    });
    return { source_id: sourceId, shared: answer };
  },
});
